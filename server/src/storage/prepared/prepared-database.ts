// An empty database for PGlite, made once when the package is built (`tools/make-pglite-database.ts`) instead of at the
// first start of every small instance: PostgreSQL's own `initdb` takes five seconds and 600 MB there. It holds no table
// and nothing secret; the schema comes from the same migrations as everywhere.
//
// The file is compressed. It begins with a line of JSON, and then has the bytes of all files in that order. It is
// unpacked beside its place and then renamed, so that nobody ever finds a part of it.
import { createReadStream } from 'node:fs'
import { access, type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { PieceReader } from './piece-reader.ts'

export interface PreparedIndex {
  /** The version of PGlite that has made it, and alone can be trusted to read it. */
  pglite: string
  folders: string[]
  files: { path: string; bytes: number }[]
}

export const PREPARED_FILE = fileURLToPath(new URL('pglite-database.br', import.meta.url))
const CHUNK_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(CHUNK_BYTES)
const PRIVATE = 0o700
const PRIVATE_FILE = 0o600

/** False: there is a database, or none was prepared for the PGlite that is installed, which then makes its own. */
export async function unpackPreparedDatabase(folder: string, prepared = PREPARED_FILE): Promise<boolean> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  if ((await isThere(folder)) || !(await isThere(prepared))) return false
  const bytes = createReadStream(prepared).pipe(createBrotliDecompress({ chunkSize: CHUNK_BYTES }))
  const reader = new PieceReader(bytes[Symbol.asyncIterator]())
  const index: PreparedIndex = JSON.parse(await reader.line())
  const isOfThisVersion = index.pglite === (await installedPglite())
  if (isOfThisVersion) {
    await mkdir(unfinished, { mode: PRIVATE })
    for (const name of index.folders) await mkdir(join(unfinished, name), { mode: PRIVATE })
    for (const file of index.files) {
      await using handle = await open(join(unfinished, file.path), 'wx', PRIVATE_FILE)
      await writePieces(handle, reader.pieces(file.bytes), file.bytes)
    }
    await rename(unfinished, folder)
  }
  bytes.destroy()
  return isOfThisVersion
}

export async function installedPglite(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8'))
  return version
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Most of a write-ahead log is zeros, which need no place on the disk. */
async function writePieces(handle: FileHandle, pieces: AsyncIterable<Buffer>, bytes: number): Promise<void> {
  let at = 0
  let written = 0
  for await (const piece of pieces) {
    const isZero = piece.equals(ZEROS.subarray(0, piece.length))
    if (!isZero) await handle.write(piece, 0, piece.length, at)
    at += piece.length
    if (!isZero) written = at
  }
  if (written < bytes) await handle.write(ZEROS, 0, 1, bytes - 1)
}
