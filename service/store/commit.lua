-- Commit one change of a match: all of it, or nothing. The same commit sent twice counts once.
--
-- KEYS[1]  the match: a hash of `version` and `state`
-- KEYS[2]  its log: a stream, one entry a commit, whose id is the number of the commit's last event
-- KEYS[3]  only with an idempotency key: the receipt that is kept for it
-- ARGV[1]  the version that the match must still have, 0 if it must not exist
-- ARGV[2]  the new version
-- ARGV[3]  the new state
-- ARGV[4]  the events of this change, for the log
-- ARGV[5]  the time to live, in milliseconds, of a match without activity
-- ARGV[6]  the identity of this commit
-- ARGV[7]  the channel that wakes those who wait for the match
-- ARGV[8]  with an idempotency key: the receipt to keep
-- ARGV[9]  with an idempotency key: how long to keep it, in milliseconds
--
-- Returns 1 when the change is made, 0 if the match has another version, or the receipt of an earlier request with
-- the same idempotency key.
local entry = redis.call('XRANGE', KEYS[2], string.format('%d-0', ARGV[1] + 1), '+', 'COUNT', 1)[1]
if entry and entry[2][2] == ARGV[6] then
  return 1
end
local receipt = KEYS[3] and redis.call('GET', KEYS[3])
if receipt then
  return receipt
end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'commit', ARGV[6], 'events', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
if KEYS[3] then
  redis.call('SET', KEYS[3], ARGV[8], 'PX', ARGV[9])
end
redis.call('PUBLISH', ARGV[7], string.format('%d ', ARGV[2]) .. ARGV[4])
return 1
