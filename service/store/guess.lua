-- Tell whether a client may guess a join code, and count the guess if it is wrong, in one step: of guesses at the same
-- moment none slips through.
--
-- KEYS[1]  the wrong guesses of the client: a number that vanishes when the time of the first of them is over
-- KEYS[2]  those of all clients, likewise
-- ARGV[1]  how many wrong guesses a client has
-- ARGV[2]  how many all clients make together before each of them has fewer
-- ARGV[3]  how many a client has then
-- ARGV[4]  how long they count, in milliseconds
-- ARGV[5]  1 if the guess is wrong
--
-- Returns how many the client has, and after how many milliseconds it may guess again; 0 if it may now.
local function guesses(key)
  return tonumber(redis.call('GET', key) or '0')
end
local quota = tonumber(guesses(KEYS[2]) < tonumber(ARGV[2]) and ARGV[1] or ARGV[3])
if guesses(KEYS[1]) >= quota then
  return {quota, math.max(redis.call('PTTL', KEYS[1]), 1)}
end
if ARGV[5] == '1' then
  for _, key in ipairs(KEYS) do
    redis.call('INCR', key)
    redis.call('PEXPIRE', key, ARGV[4], 'NX')
  end
end
return {quota, 0}
