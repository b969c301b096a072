// What we use of `node:http`. An `import` of it reads all of its exports, and one of those loads Node's own copy of undici:
// 40 ms and 16 MB in a bare process. Asking for the module doesn't. `server/test/architecture.test.ts` holds that.
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
