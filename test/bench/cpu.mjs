/** CPU time by process from /proc; Linux only. One clock tick is 10 ms on every supported kernel (USER_HZ = 100). */
import fs from 'node:fs';

const MICROSECONDS_PER_TICK = 10_000;

function readStat(pid) {
  let text;
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    // A process may end between the listing and the read; its time is then in its parent's reaped counters.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
  // The command name is in parentheses and may hold spaces: count fields from the last ')'.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return { pid, parent: Number(fields[1]), ticks: utime + stime + cutime + cstime };
}

function everyProcess() {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== null);
}

/** Own time, time of reaped children and time of living descendants: nothing escapes when a backend ends. */
function treeTicks(processes, root) {
  const own = processes.find(({ pid }) => pid === root);
  if (own === undefined) throw new Error(`process ${root} is gone`);
  const children = processes.filter(({ parent }) => parent === root);
  return children.reduce((sum, child) => sum + treeTicks(processes, child.pid), own.ticks);
}

function machineTicks() {
  const line = fs.readFileSync('/proc/stat', 'latin1').split('\n', 1)[0];
  const [user, nice, system, , , , , steal] = line.trim().split(/\s+/).slice(1).map(Number);
  return { work: user + nice + system, steal };
}

/** Reads the counters of `pids` ({ kind: pid }) and of the whole machine. */
export function readCpu(pids) {
  const processes = everyProcess();
  const harness = process.cpuUsage();
  return {
    at: performance.now(),
    kinds: Object.fromEntries(Object.entries(pids).map(([kind, pid]) => [kind, treeTicks(processes, pid)])),
    harness: (harness.user + harness.system) / MICROSECONDS_PER_TICK,
    ...machineTicks(),
  };
}

/**
 * Microseconds per kind between two readings, and what disturbed them: `others` is the share of the machine spent
 * outside the measured processes, `steal` the share the hypervisor gave away.
 */
export function cpuBetween(before, after, cores) {
  const kinds = {};
  let known = after.harness - before.harness;
  for (const kind of Object.keys(after.kinds)) {
    const ticks = after.kinds[kind] - before.kinds[kind];
    kinds[kind] = ticks * MICROSECONDS_PER_TICK;
    known += ticks;
  }
  const capacity = ((after.at - before.at) * 1_000 * cores) / MICROSECONDS_PER_TICK;
  return {
    kinds,
    others: Math.max(0, after.work - before.work - known) / capacity,
    steal: (after.steal - before.steal) / capacity,
  };
}
