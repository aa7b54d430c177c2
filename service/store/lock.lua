-- Take a lock, unless somebody has it or is next. Who is refused is next if nobody is: so those who ask again and again
-- come in, however often the others do.
--
-- KEYS[1]  the lock: a string that names its holder
-- KEYS[2]  who is next
-- ARGV[1]  who asks
-- ARGV[2]  how long the lock is held at most, in milliseconds
-- ARGV[3]  how long a place as the next one is kept, in milliseconds
--
-- Returns 1 when the lock is taken, else 0.
local first = redis.call('GET', KEYS[2]) or ARGV[1]
if first == ARGV[1] and redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('DEL', KEYS[2])
  return 1
end
if first == ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
end
return 0
