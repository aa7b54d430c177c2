-- Tell that a server runs, and claim what is due.
--
-- KEYS[1]  what is due: a sorted set of `MATCH:TIME:NOTED` by the time at which to look at it
-- KEYS[2]  when a server last told that it runs
-- KEYS[3]  the outages: a sorted set of `BEGIN-END` by their ends
-- KEYS[4]  what is due of matches that no human plays, like KEYS[1]
-- ARGV[1]  the time; this and all others in Unix milliseconds
-- ARGV[2]  until when what is claimed is kept from others
-- ARGV[3]  how much to claim at most
-- ARGV[4]  how much of that is kept for matches that humans play
-- ARGV[5]  a silence of more than so many milliseconds is an outage
-- ARGV[6]  outages that ended before this are forgotten
--
-- Returns the claimed members of KEYS[1] and of KEYS[4], and the members of the outages.
local function claim(key, most)
  local due = redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'LIMIT', 0, math.max(most, 0))
  for _, member in ipairs(due) do
    redis.call('ZADD', key, ARGV[2], member)
  end
  return due
end

local beat = redis.call('GET', KEYS[2])
if not beat or tonumber(beat) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[2], ARGV[1])
end
if beat and tonumber(ARGV[1]) - tonumber(beat) > tonumber(ARGV[5]) then
  redis.call('ZADD', KEYS[3], ARGV[1], beat .. '-' .. ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[6])
end
local attended = claim(KEYS[1], ARGV[3])
local unattended = claim(KEYS[4], ARGV[3] - ARGV[4] - #attended)
return {attended, unattended, redis.call('ZRANGE', KEYS[3], 0, -1)}
