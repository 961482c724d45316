--[[
What several control planes must see and change as one: connected workers, the slots that they offer, and who holds them. One script, so that
each verb is atomic. All keys begin with KEYS[1], which holds them in one slot of a cluster ({...}):

worker:ID     hash    conn, node, kind, pool, slots, kinds, facts, since, said; draining, late, resting ('0' or '1')
workers       set     ids of the connected ones
leases        hash    session -> 'EPOCH WORKER'
leases:ID     set     sessions of a worker, also of one that is not connected
shows:KIND    zset    connected workers that can show sessions of a kind: 0, or 1 for one that is draining
offers:KIND   zset    those of them that have a slot to give: the lowest score is given first
pools:KIND    set     pools that have a connected worker that is an avatar, or an agent
totals:KIND:POOL hash of those workers: workers, draining, slots, free; each one's part in it is in its own hash (free)
queues:KIND   hash    'NODE POOL' -> 'WAITING SINCE', where somebody waits for one
homes         hash    session -> control plane at which it lives
nodes         zset    control planes, by when each was heard of last, in milliseconds

Messages go out on the channel KEYS[1] .. 'changes': a slot may have come free, or a worker has left.
]]
local P, verb, policy = KEYS[1], ARGV[1], ARGV[2]
local function arg(i) return ARGV[i + 2] end

local function tell(what) redis.call('PUBLISH', P .. 'changes', what) end
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

-- Brings what a worker offers up to date.
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
  if free > tonumber(before) then tell('free') end
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

local verbs = {}

-- id, conn, node, slots, kinds, facts, since, kind, pool
function verbs.join()
  local id = arg(1)
  forget(id)
  redis.call('HSET', P .. 'worker:' .. id, 'conn', arg(2), 'node', arg(3), 'slots', arg(4), 'kinds', arg(5),
    'facts', arg(6), 'since', arg(7), 'kind', arg(8), 'pool', arg(9), 'said', '{}', 'draining', '0', 'late', '0', 'resting', '0', 'free', '0')
  redis.call('SADD', P .. 'workers', id)
  redis.call('SADD', P .. 'pools:' .. arg(8), arg(9))
  count(arg(8), arg(9), tonumber(arg(4)), 1, 0)
  offer(id)
  return 1
end

-- id, conn: nothing happens when it joined again by another connection.
function verbs.leave()
  if redis.call('HGET', P .. 'worker:' .. arg(1), 'conn') ~= arg(2) then return 0 end
  forget(arg(1))
  tell('left')
  return 1
end

-- id, conn, draining, late, resting, what it said
function verbs.state()
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
function verbs.reserve()
  local worker = redis.call('ZRANGE', P .. 'offers:' .. arg(3), 0, 0)[1]
  if not worker then return false end
  if not take(arg(1), tonumber(arg(2)), worker) then return false end
  return worker
end

-- session, epoch, worker -> 0 when a newer lease exists
function verbs.hold()
  return take(arg(1), tonumber(arg(2)), arg(3)) and 1 or 0
end

-- session, epoch
function verbs.free()
  local epoch, worker = leaseOf(arg(1))
  if epoch ~= tonumber(arg(2)) then return 0 end
  release(arg(1), worker)
  return 1
end

-- kind
function verbs.why()
  local key = P .. 'shows:' .. arg(1)
  if redis.call('ZCARD', key) == 0 then return 'nobody' end
  if redis.call('ZCOUNT', key, 0, 0) == 0 then return 'draining' end
  return 'full'
end

-- node, avatar or agent, pool, waiting, since
function verbs.queue()
  local key, line = P .. 'queues:' .. arg(2), arg(1) .. ' ' .. arg(3)
  if arg(4) == '0' then redis.call('HDEL', key, line)
  else redis.call('HSET', key, line, arg(4) .. ' ' .. arg(5)) end
  return 1
end

-- avatar or agent -> of each pool: its name and totals; leases; of each queue: its pool, how many wait, since when
function verbs.counts()
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

-- cursor, 0 at first -> the next one, 0 at the end; of some workers: facts, since, what it said, draining, late, resting, taken
function verbs.workers()
  local page, all = redis.call('SSCAN', P .. 'workers', arg(1), 'COUNT', 200), {}
  for i, id in ipairs(page[2]) do
    all[i] = redis.call('HMGET', P .. 'worker:' .. id, 'facts', 'since', 'said', 'draining', 'late', 'resting')
    all[i][7] = takenOf(id)
  end
  return { page[1], all }
end

-- id -> the control plane that holds its socket, or nothing
function verbs.node_of() return redis.call('HGET', P .. 'worker:' .. arg(1), 'node') end

-- cursor, as of workers -> the next one, and of some sessions: id, 'EPOCH WORKER'
function verbs.leases() return redis.call('HSCAN', P .. 'leases', arg(1), 'COUNT', 200) end

-- node: its sockets are gone, and who waited at it.
function verbs.node_gone()
  for _, id in ipairs(redis.call('SMEMBERS', P .. 'workers')) do
    if redis.call('HGET', P .. 'worker:' .. id, 'node') == arg(1) then forget(id) end
  end
  for _, role in ipairs({ 'avatar', 'agent' }) do
    local key = P .. 'queues:' .. role
    for _, line in ipairs(redis.call('HKEYS', key)) do
      if string.match(line, '^%S+') == arg(1) then redis.call('HDEL', key, line) end
    end
  end
  tell('left')
  return 1
end

-- node, milliseconds after which one that says nothing is gone -> 1 when it was not on the list; those that are gone, and are taken off it by this
function verbs.beat()
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local isNew = redis.call('ZADD', P .. 'nodes', now, arg(1))
  local gone = redis.call('ZRANGEBYSCORE', P .. 'nodes', 0, now - tonumber(arg(2)))
  for _, node in ipairs(gone) do redis.call('ZREM', P .. 'nodes', node) end
  return { isNew, gone }
end

-- -> those that are there
function verbs.nodes() return redis.call('ZRANGE', P .. 'nodes', 0, -1) end

-- session, node -> 0 when it lives at another one that is there
function verbs.settle()
  local home = redis.call('HGET', P .. 'homes', arg(1))
  if home and home ~= arg(2) and redis.call('ZSCORE', P .. 'nodes', home) then return 0 end
  redis.call('HSET', P .. 'homes', arg(1), arg(2))
  return 1
end

-- session, node: nothing happens when it lives elsewhere.
function verbs.unsettle()
  if redis.call('HGET', P .. 'homes', arg(1)) ~= arg(2) then return 0 end
  return redis.call('HDEL', P .. 'homes', arg(1))
end

-- session
function verbs.home_of() return redis.call('HGET', P .. 'homes', arg(1)) end

-- node -> sessions
function verbs.homed_at()
  local all, found = redis.call('HGETALL', P .. 'homes'), {}
  for i = 1, #all, 2 do if all[i + 1] == arg(1) then found[#found + 1] = all[i] end end
  return found
end

-- node: the next one that beats finds it gone.
function verbs.goodbye() return redis.call('ZADD', P .. 'nodes', 'XX', 0, arg(1)) end

return verbs[verb]()
