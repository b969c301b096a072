// A process that a test has started must not outlive the process that ran the test, however that ends. Vitest ends its
// workers with SIGTERM, which skips `exit`.
import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

process.on('exit', endAll)
process.once('SIGTERM', () => {
  endAll()
  // `process.exit` is Vitest's own in a worker, and throws.
  process.kill(process.pid, 'SIGKILL')
})

export function endWithWorker<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
