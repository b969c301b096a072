// A duration as a clock shows it: 4:13, 1:02:03; '' when it is unknown.
export function clockDuration(seconds: number | undefined): string {
  if (seconds === undefined || !(seconds >= 0)) return ''
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const padded = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`
}
