-- Tell that a worker runs, by the clock of the store, which is the same for all.
--
-- KEYS[1]  the workers: a sorted set by the time until which each is taken to run, in seconds
-- ARGV[1]  the worker
-- ARGV[2]  for how many seconds it is taken to run; 0 if it ends
--
-- Returns the workers that run.
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZRANGE', KEYS[1], 0, -1)
