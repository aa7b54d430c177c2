-- Note which players follow a match through one worker, and tell it to those who follow the match if that is news.
--
-- KEYS[1]  the match: its `here` is a number, which counts the changes, and then `WORKER:SEAT` for each who is noted
-- ARGV[1]  the channel that wakes those who wait for the match
-- ARGV[2]  the worker
-- ARGV[3]  the seats of its players, with spaces between them
-- ARGV[4]  the workers that run, likewise; what others have noted is forgotten
--
-- Returns what is noted now; false if there is no match, which is not made by this.
local version, before = unpack(redis.call('HMGET', KEYS[1], 'version', 'here'))
if not version then
  return false
end
local runs = {}
for worker in ARGV[4]:gmatch('%S+') do
  runs[worker] = true
end
local number, noted = (before or '0'):match('^(%d+)(.*)$')
local here = {}
for worker, seat in noted:gmatch('(%w+):(%d+)') do
  if worker ~= ARGV[2] and runs[worker] then
    here[#here + 1] = ' ' .. worker .. ':' .. seat
  end
end
for seat in ARGV[3]:gmatch('%d+') do
  here[#here + 1] = ' ' .. ARGV[2] .. ':' .. seat
end
table.sort(here)
local now = table.concat(here)
if now == noted then
  return before or '0'
end
now = string.format('%d', number + 1) .. now
redis.call('HSET', KEYS[1], 'here', now)
redis.call('PUBLISH', ARGV[1], 'here ' .. now)
return now
