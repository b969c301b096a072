// Explains why a port can't be listened on, in a sentence that names the setting to change. In its own file so that the
// primary of several workers loads almost nothing else.

export function ofListening(
  code: string,
  prefix: '' | 'ADMIN_' | 'METRICS_',
  port: number | undefined,
): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set ${prefix}PORT to a free port.`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set ${prefix}PORT to a port above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return `${prefix}HOST is not an address of this machine.`
  return undefined
}
