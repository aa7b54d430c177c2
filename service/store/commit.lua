-- Commit one change of a match: all of it, or nothing when another change came first.
--
-- KEYS[1]  the match: a hash of `version` and `state`
-- KEYS[2]  its log: a stream, one entry a commit, whose id is the number of the commit's last event
-- ARGV[1]  the version that the match must still have, 0 if it must not exist
-- ARGV[2]  the new version
-- ARGV[3]  the new state
-- ARGV[4]  the events of this change, for the log
-- ARGV[5]  the time to live, in milliseconds, of a match without activity
--
-- Returns 1, or 0 if the match has another version.
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'events', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 1
