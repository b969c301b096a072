// Ends processes that a test has started when the test's process ends, in whatever way. Vitest ends its workers with
// SIGTERM, which skips `exit`.
import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

process.on('exit', endAll)
process.once('SIGTERM', () => {
  endAll()
  // Vitest replaces `process.exit` in a worker, and it throws.
  process.kill(process.pid, 'SIGKILL')
})

export function endWithWorker<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
