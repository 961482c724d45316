--[[
Wrong guesses and waits that all control planes share. All keys begin with KEYS[1]. Their clocks may
differ, so no wait is longer than the longest one.

count:NAME   hash     count: of wrong guesses; ends: time when the wait after the last one ends
mark:NAME    string   exists until it expires
]]
local P, command, name = KEYS[1], ARGV[1], ARGV[2]
local commands = {}

-- name, 1 for a wrong guess, now, ms to forget one, free guesses, waits in ms by spaces
-- -> ms that the name waits; counts the guess unless it waits
function commands.settle()
  local key, now = P .. 'count:' .. name, tonumber(ARGV[4])
  local forget, free = tonumber(ARGV[5]), tonumber(ARGV[6])
  local waits = {}
  for wait in string.gmatch(ARGV[7], '%d+') do waits[#waits + 1] = tonumber(wait) end
  local old = redis.call('HMGET', key, 'count', 'ends')
  local ends = tonumber(old[2] or 0)
  if ends > now then return math.min(ends - now, waits[#waits]) end
  if ARGV[3] ~= '1' then return 0 end
  local count = math.max(0, tonumber(old[1] or 0) - (now - ends) / forget) + 1
  count = math.min(count, free + #waits)
  local wait = waits[math.ceil(count) - free] or 0
  redis.call('HSET', key, 'count', tostring(count), 'ends', now + wait)
  redis.call('PEXPIRE', key, math.ceil(count * forget) + wait)
  return 0
end

-- name, ms
function commands.mark() return redis.call('SET', P .. 'mark:' .. name, 1, 'PX', ARGV[3]) end

-- name -> 1 if it is marked
function commands.is_marked() return redis.call('EXISTS', P .. 'mark:' .. name) end

return commands[command]()
