-- Claim what is due for a while.
--
-- KEYS[1]  what is due: a sorted set by the time of the next attempt
-- ARGV[1]  the time; this and the next in Unix milliseconds
-- ARGV[2]  until when what is claimed is kept from others
-- ARGV[3]  how much to claim at most
--
-- Returns the claimed members.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], member)
end
return due
