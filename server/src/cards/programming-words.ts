// Tells whether a query is about programming. An unambiguous word (`javascript`, `numpy`) is enough; one that is also a
// snake, an island or a fish needs a second programming word (`list`, `error`, `install`). Anything shaped like an
// error or an identifier also counts: `TypeError`, `getElementById()`, `snake_case`, `.py`.
import { wordsOf } from './names.ts'

const TECHNOLOGIES = new Set(
  (
    'javascript typescript c++ c# php golang kotlin matlab perl haskell scala clojure elixir erlang fortran ' +
    'cobol vba html css sass scss sql mysql postgresql postgres sqlite mongodb redis graphql json xml yaml ' +
    'csv regex html5 css3 jquery reactjs vuejs nodejs npm numpy pandas matplotlib tensorflow pytorch opencv ' +
    'django fastapi laravel symfony hibernate junit pytest jupyter git github gitlab docker kubernetes ' +
    'dockerfile ansible terraform nginx linux ubuntu debian bash powershell cmd vim emacs vscode xcode ' +
    'webpack eslint async await ajax websocket oauth jwt cors utf8 unicode ascii base64 uuid api dataframe ' +
    'tuple tkinter selenium boto3 aws azure firebase nextjs dotnet winforms wpf'
  ).split(' '),
)

/** Each also means something else. */
const AMBIGUOUS = new Set(
  (
    'python java ruby rust go swift c r dart julia lua react angular vue node spring flask rails express ' +
    'excel shell cron maven gradle jenkins spark unity godot pip conda'
  ).split(' '),
)

const TRADE = new Set(
  (
    'array arrays list lists string strings dict dictionary map hashmap object objects class classes function ' +
    'functions method methods variable variables loop loops iterate integer int float boolean enum struct ' +
    'pointer reference null nil none undefined exception exceptions error errors traceback stacktrace compile ' +
    'compiler runtime syntax parse parser regex thread threads async callback promise decorator generator ' +
    'lambda closure inheritance interface constructor import module modules package packages library install ' +
    'script code program file files directory path read write print input output sort reverse split join ' +
    'replace append remove delete duplicates index column row query table database server request response ' +
    'http port socket debug log logging test unit mock install upgrade convert cast format datetime timestamp ' +
    'random substring concatenate merge filter count length size type types'
  ).split(' '),
)

const ERROR_NAME = /\b[A-Z]\w{2,30}(?:Error|Exception|Warning)\b|\bsegmentation fault\b|\bstack overflow\b/
const CODE_NAME = /\b[a-z]\w{1,30}\(\)|\b[a-z]{2,20}_[a-z]{2,20}\b|\b[a-z]{2,15}[A-Z][a-z]{2,15}\b/
const CODE_FILE = /(?:^|\s)\.(?:py|js|ts|rb|rs|cpp|cs|java|php|sh)\b/

const FEWEST_WORDS = 2
const MOST_WORDS = 18

export function isAboutProgramming(text: string): boolean {
  const words = wordsOf(text)
  if (words.length < FEWEST_WORDS || words.length > MOST_WORDS) return false
  if (words.some((word) => TECHNOLOGIES.has(word))) return true
  if ([ERROR_NAME, CODE_NAME, CODE_FILE].some((form) => form.test(text))) return true
  return words.some((word) => AMBIGUOUS.has(word)) && words.some((word) => TRADE.has(word))
}
