--[[
Connected workers, the slots they offer, the leases on them and the queues, shared by all control
planes ("nodes"). One script, so that each command is atomic. All keys begin with KEYS[1], a hash tag
({...}) that keeps them in one slot of a Redis cluster.

worker:ID        hash   conn, node, kind, pool, slots, kinds, facts, since, said (last report);
                        draining, late, resting ('0' or '1'; resting also if cordoned);
                        free: its part of totals
workers          set    ids of connected workers
leases           hash   session -> 'EPOCH WORKER'
leases:ID        set    sessions of a worker, even after it disconnects
shows:KIND       zset   connected workers that can perform sessions of a kind: 1 if draining, else 0
offers:KIND      zset   those with a free slot; the lowest score is chosen first
pools:ROLE       set    pools with a connected worker of that role (avatar or agent)
totals:ROLE:POOL hash   sums over those workers: workers, draining, slots, free
queues:ROLE      hash   'NODE POOL' -> 'WAITING SINCE'

Published on the channel KEYS[1] .. 'changes': 'free' (a slot may be free) and 'left' (a worker has left).
]]
local P, command, policy = KEYS[1], ARGV[1], ARGV[2]
local function arg(i) return ARGV[i + 2] end

local function publish(change) redis.call('PUBLISH', P .. 'changes', change) end
local function add(role, pool, name, by)
  if by ~= 0 then redis.call('HINCRBY', P .. 'totals:' .. role .. ':' .. pool, name, by) end
end
local function count(role, pool, slots, workers, draining)
  add(role, pool, 'workers', workers)
  add(role, pool, 'slots', workers * slots)
  add(role, pool, 'draining', draining)
end
local function takenOf(id) return redis.call('SCARD', P .. 'leases:' .. id) end

local function score(taken, slots)
  local fullness = taken / slots - (slots - taken) / 1e6
  if policy == 'pack' then return -fullness end
  return fullness
end

-- Updates what a worker offers.
local function offer(id)
  local key = P .. 'worker:' .. id
  local slots, kinds, draining, late, resting, before, role, pool =
    unpack(redis.call('HMGET', key, 'slots', 'kinds', 'draining', 'late', 'resting', 'free', 'kind', 'pool'))
  if not slots then return end
  slots = tonumber(slots)
  local taken = takenOf(id)
  local isReady = draining == '0' and late == '0' and resting == '0'
  local free = isReady and math.max(0, slots - taken) or 0
  for _, kind in ipairs(cjson.decode(kinds)) do
    redis.call('ZADD', P .. 'shows:' .. kind, draining, id)
    if free > 0 then redis.call('ZADD', P .. 'offers:' .. kind, score(taken, slots), id)
    else redis.call('ZREM', P .. 'offers:' .. kind, id) end
  end
  add(role, pool, 'free', free - tonumber(before))
  redis.call('HSET', key, 'free', free)
  if free > tonumber(before) then publish('free') end
end

local function forget(id)
  local key = P .. 'worker:' .. id
  local slots, kinds, draining, free, role, pool =
    unpack(redis.call('HMGET', key, 'slots', 'kinds', 'draining', 'free', 'kind', 'pool'))
  if not slots then return end
  for _, kind in ipairs(cjson.decode(kinds)) do
    redis.call('ZREM', P .. 'shows:' .. kind, id)
    redis.call('ZREM', P .. 'offers:' .. kind, id)
  end
  count(role, pool, tonumber(slots), -1, -tonumber(draining))
  add(role, pool, 'free', -tonumber(free))
  local totals = P .. 'totals:' .. role .. ':' .. pool
  if redis.call('HGET', totals, 'workers') == '0' then
    redis.call('DEL', totals)
    redis.call('SREM', P .. 'pools:' .. role, pool)
  end
  redis.call('SREM', P .. 'workers', id)
  redis.call('DEL', key)
end

local function leaseOf(session)
  local held = redis.call('HGET', P .. 'leases', session)
  if not held then return nil end
  local epoch, worker = string.match(held, '^(%d+) (.*)$')
  return tonumber(epoch), worker
end

local function release(session, worker)
  redis.call('HDEL', P .. 'leases', session)
  redis.call('SREM', P .. 'leases:' .. worker, session)
  offer(worker)
end

local function take(session, epoch, worker)
  local older, olderWorker = leaseOf(session)
  if older and older > epoch then return false end
  if older and olderWorker ~= worker then release(session, olderWorker) end
  redis.call('HSET', P .. 'leases', session, string.format('%d %s', epoch, worker))
  redis.call('SADD', P .. 'leases:' .. worker, session)
  offer(worker)
  return true
end

local commands = {}

-- id, conn, node, slots, kinds, facts, since, kind, pool, draining, late, resting, last report
function commands.join()
  local id = arg(1)
  forget(id)
  redis.call('HSET', P .. 'worker:' .. id, 'conn', arg(2), 'node', arg(3), 'slots', arg(4), 'kinds', arg(5),
    'facts', arg(6), 'since', arg(7), 'kind', arg(8), 'pool', arg(9), 'said', arg(13),
    'draining', arg(10), 'late', arg(11), 'resting', arg(12), 'free', '0')
  redis.call('SADD', P .. 'workers', id)
  redis.call('SADD', P .. 'pools:' .. arg(8), arg(9))
  count(arg(8), arg(9), tonumber(arg(4)), 1, tonumber(arg(10)))
  offer(id)
  return 1
end

-- id, conn: does nothing if the worker has joined again by another connection.
function commands.leave()
  if redis.call('HGET', P .. 'worker:' .. arg(1), 'conn') ~= arg(2) then return 0 end
  forget(arg(1))
  publish('left')
  return 1
end

-- id, conn, draining, late, resting, last report
function commands.state()
  local key = P .. 'worker:' .. arg(1)
  local conn, slots, draining, role, pool =
    unpack(redis.call('HMGET', key, 'conn', 'slots', 'draining', 'kind', 'pool'))
  if conn ~= arg(2) then return 0 end
  count(role, pool, tonumber(slots), 0, tonumber(arg(3)) - tonumber(draining))
  redis.call('HSET', key, 'draining', arg(3), 'late', arg(4), 'resting', arg(5), 'said', arg(6))
  offer(arg(1))
  return 1
end

-- session, epoch, kind -> worker, or nothing
function commands.reserve()
  local worker = redis.call('ZRANGE', P .. 'offers:' .. arg(3), 0, 0)[1]
  if not worker then return false end
  if not take(arg(1), tonumber(arg(2)), worker) then return false end
  return worker
end

-- session, epoch, worker -> 0 if the session has a newer lease
function commands.hold()
  return take(arg(1), tonumber(arg(2)), arg(3)) and 1 or 0
end

-- session, epoch, worker -> 1 if this is its newest lease
function commands.holds()
  local epoch, worker = leaseOf(arg(1))
  return epoch == tonumber(arg(2)) and worker == arg(3) and 1 or 0
end

-- session, epoch
function commands.free()
  local epoch, worker = leaseOf(arg(1))
  if epoch ~= tonumber(arg(2)) then return 0 end
  release(arg(1), worker)
  return 1
end

-- kind
function commands.why()
  local key = P .. 'shows:' .. arg(1)
  if redis.call('ZCARD', key) == 0 then return 'nobody' end
  if redis.call('ZCOUNT', key, 0, 0) == 0 then return 'draining' end
  return 'full'
end

-- node, role, pool, waiting, since
function commands.queue()
  local key, line = P .. 'queues:' .. arg(2), arg(1) .. ' ' .. arg(3)
  if arg(4) == '0' then redis.call('HDEL', key, line)
  else redis.call('HSET', key, line, arg(4) .. ' ' .. arg(5)) end
  return 1
end

-- role -> per pool: name and totals; number of leases; per queue: pool, waiting, since
function commands.counts()
  local totals, queues = {}, {}
  for i, pool in ipairs(redis.call('SMEMBERS', P .. 'pools:' .. arg(1))) do
    totals[i] = redis.call('HMGET', P .. 'totals:' .. arg(1) .. ':' .. pool, 'workers', 'draining', 'slots', 'free')
    table.insert(totals[i], 1, pool)
  end
  local all = redis.call('HGETALL', P .. 'queues:' .. arg(1))
  for i = 1, #all, 2 do
    local waiting, since = string.match(all[i + 1], '^(%d+) (.*)$')
    queues[#queues + 1] = { string.match(all[i], '^%S+ (.*)$'), waiting, since }
  end
  return { totals, redis.call('HLEN', P .. 'leases'), queues }
end

-- cursor, 0 at first -> next cursor, 0 at the end; per worker of this page:
-- facts, since, last report, draining, late, resting, taken
function commands.workers()
  local page, all = redis.call('SSCAN', P .. 'workers', arg(1), 'COUNT', 200), {}
  for i, id in ipairs(page[2]) do
    all[i] = redis.call('HMGET', P .. 'worker:' .. id, 'facts', 'since', 'said', 'draining', 'late', 'resting')
    all[i][7] = takenOf(id)
  end
  return { page[1], all }
end

-- id -> the node that holds its socket, or nothing
function commands.node_of() return redis.call('HGET', P .. 'worker:' .. arg(1), 'node') end

-- cursor -> next cursor; per session of this page: id, 'EPOCH WORKER'
function commands.leases() return redis.call('HSCAN', P .. 'leases', arg(1), 'COUNT', 200) end

-- node: removes its workers and its queues.
function commands.node_gone()
  for _, id in ipairs(redis.call('SMEMBERS', P .. 'workers')) do
    if redis.call('HGET', P .. 'worker:' .. id, 'node') == arg(1) then forget(id) end
  end
  for _, role in ipairs({ 'avatar', 'agent' }) do
    local key = P .. 'queues:' .. role
    for _, line in ipairs(redis.call('HKEYS', key)) do
      if string.match(line, '^%S+') == arg(1) then redis.call('HDEL', key, line) end
    end
  end
  publish('left')
  return 1
end

return commands[command]()
