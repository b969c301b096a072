// Addresses that nothing here may ever connect to, for the picture proxy and the reader alike.

export const PRIVATE_ADDRESSES = [
  'http://127.0.0.1/x.png',
  'http://2130706433/x.png',
  'http://0x7f.1/x.png',
  'http://0177.0.0.1/x.png',
  'http://[::1]/x.png',
  'http://[::ffff:127.0.0.1]/x.png',
  'http://[::ffff:7f00:1]/x.png',
  'http://[64:ff9b::7f00:1]/x.png',
  'http://0.0.0.0/x.png',
  'http://169.254.169.254/latest/meta-data',
  'http://[fd00:ec2::254]/latest/meta-data',
  'http://168.63.129.16/x.png',
  'http://10.0.0.1/x.png',
  'http://100.64.0.1/x.png',
  'http://172.16.0.1/x.png',
  'http://192.168.0.1/x.png',
  'http://localhost/x.png',
  'http://LOCALHOST./x.png',
  'http://printer.local/x.png',
  'http://metadata.google.internal/x.png',
  'http://router.home.arpa/x.png',
]

export const NO_ADDRESSES = [
  'javascript:alert(1)',
  'data:image/png;base64,AA',
  'file:///etc/passwd',
  'ftp://example.org/x.png',
  'gopher://example.org/x.png',
  'http://user:secret@example.org/',
  'http://example.org\\@127.0.0.1/',
  '//example.org/x.png',
  '',
]
