-- Open a lock, if it is still held by who says so.
--
-- KEYS[1]  the lock: a string that names its holder
-- ARGV[1]  who held it
--
-- Returns 1 when the lock was opened, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
