-- Tell that a server runs, and claim what is due.
--
-- KEYS[1]  what is due: a sorted set of `MATCH:TIME:NOTED` by the time at which to look at it
-- KEYS[2]  when a server last told that it runs
-- KEYS[3]  the outages: a sorted set of `BEGIN-END` by their ends
-- ARGV[1]  the time; this and all others in Unix milliseconds
-- ARGV[2]  until when what is claimed is kept from others
-- ARGV[3]  how much to claim at most
-- ARGV[4]  a silence of more than so many milliseconds is an outage
-- ARGV[5]  outages that ended before this are forgotten
--
-- Returns the claimed members, and the members of the outages.
local beat = redis.call('GET', KEYS[2])
if not beat or tonumber(beat) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[2], ARGV[1])
end
if beat and tonumber(ARGV[1]) - tonumber(beat) > tonumber(ARGV[4]) then
  redis.call('ZADD', KEYS[3], ARGV[1], beat .. '-' .. ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[5])
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], member)
end
return {due, redis.call('ZRANGE', KEYS[3], 0, -1)}
