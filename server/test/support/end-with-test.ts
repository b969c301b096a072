// A process that a test has started must not outlive the test process, however that ends.
import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export function endWithTest<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
