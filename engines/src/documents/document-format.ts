// The format of an engine document: an engine as data. There are templates, pointers, one choice, look-ups and tests for
// equality, and nothing that loops or computes, so what a document costs is bounded by its fields times the results. What
// the format cannot say is an adapter in TypeScript. A secret exists only in `auth`: no document can put one into a path, a
// body or a link. `npm run docs` publishes it as JSON Schema.
import { z } from 'zod'
import { TABS, TEXT_OPERATORS } from '../engine.ts'
import { IMAGE_FILTERS, type ImageFilter } from '../image-filters.ts'

const MAX_MEMBERS = 40

const OF_LANGUAGE = 'lang|lang\\.base|lang\\.region|region|region\\.lower|setting\\.[a-z][A-Za-z0-9]*'
const OF_QUERY =
  'query|page|page0|offset|offset1|count|upTo|(?:since|until)\\.(?:iso|date|seconds|ms)|domains|domains\\.only|notDomains'
const TEMPLATE = new RegExp(`^(?:[^$]|\\$(?!\\{|\\$\\{)|\\$\\$\\{|\\$\\{(?:${OF_QUERY}|${OF_LANGUAGE})\\})*$`)
const HEADER_TEMPLATE = new RegExp(`^(?:[^$]|\\$(?!\\{|\\$\\{)|\\$\\$\\{|\\$\\{(?:${OF_LANGUAGE})\\})*$`)

/** At most so many members; `z.record` has no such check of its own. */
const bounded = <Schema extends z.ZodType<Record<string, unknown> | undefined>>(
  schema: Schema,
  maxProperties: number,
) =>
  schema
    .refine((value) => Object.keys(value ?? {}).length <= maxProperties, `has more than ${maxProperties} members`)
    .meta({ maxProperties })

export interface Choice {
  $by: 'safe' | 'date' | 'lang' | ImageFilter
  [value: string]: Json
}
export type Json = string | number | boolean | null | Json[] | Choice | { [name: string]: Json }

export type Value =
  | string
  | Value[]
  | {
      from: string
      join?: string | undefined
      after?: string | undefined
      map?: Record<string, string> | undefined
      markup?: 'html' | 'markdown' | undefined
      unit?: 's' | 'ms' | 'us' | 'ns' | 'ticks' | 'min' | undefined
    }
  | { template: string }
  | { in: string; key: string; take: string }
  | { in: string; index: true; take: string }
  | { in: string; where: string; is: string; take: string }

const CHOSEN_BY = [
  'safe',
  'date',
  'lang',
  'size',
  'shape',
  'licence',
  'color',
  'kind',
] as const satisfies Choice['$by'][]

/** Made when a document is checked: an ordinary start has none to check, and making it takes longer than anything in it. */
function makeFormat() {
  const text = (maxLength: number) => z.string().min(1).max(maxLength)
  const Slug = z.string().regex(/^[a-z][a-z0-9]{1,30}$/)
  const SettingName = z.string().regex(/^(?!.*(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword))[a-z][A-Za-z0-9]{0,30}$/)
  const SecretName = z
    .string()
    .regex(/^(?=.*(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword))[a-z][A-Za-z0-9]{0,30}$/)
    .describe(
      'The name of a secret setting, which contains key, token, secret or password: `apiKey` is `<SLUG>_API_KEY`.',
    )
  const HeaderName = z
    .string()
    .regex(
      /^(?!(?:host|content-length|content-type|connection|transfer-encoding|te|trailer|upgrade|expect|cookie|user-agent|accept-encoding|keep-alive|proxy-.*)$)[a-z][a-z0-9-]{0,40}$/,
    )
  const ParameterName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.[\]:-]{0,60}$/)
  const Address = z
    .string()
    .max(300)
    .regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*[^\s?#/\\])?$/)

  const Pointer = z
    .string()
    .max(200)
    .regex(/^#?(?:\/(?:[^/~${}]|~[01])*)*$/)
    .meta({
      id: 'pointer',
      description:
        'RFC 6901. `/…` starts at the result, `#/…` at the whole reply. `*` stands for every element, `~1` for a slash.',
    })

  const Template = z.string().max(500).regex(TEMPLATE).meta({
    id: 'template',
    description:
      'Text with variables: `${query}`, `${page}` (from 1), `${page0}` (from 0), `${offset}` (from 0), `${offset1}` (from 1), `${count}` (10), `${upTo}` (10 × page), `${lang}`, `${lang.base}`, `${lang.region}`, `${region}` (`DE`), `${region.lower}`, `${since.iso}`, `${since.date}`, `${since.seconds}`, `${since.ms}`, `${until.iso}` and so on (the end of a range of dates), `${domains}` (the list of those that are wanted), `${domains.only}` (the one that is wanted, if there is no other), `${notDomains}`, `${setting.NAME}`. `$${` is a literal `${`. If a variable has no value, the whole parameter, member or element is left out. A text that is one variable keeps its type in a body; elsewhere a list is written with commas.',
  })

  /** A header never holds what a caller typed. */
  const HeaderTemplate = z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*$/)
    .regex(HEADER_TEMPLATE)

  const Choice: z.ZodType<Choice> = z
    .lazy(() => bounded(z.object({ $by: z.enum(CHOSEN_BY) }).catchall(Json), MAX_MEMBERS))
    .meta({
      id: 'choice',
      description:
        'A value for each value of a filter. `safe`: on, off. `date`: d, w, m, y. `lang`: a tag (`zh-TW`) or a base language. `size`, `shape`, `licence`, `color` and `kind`: of pictures. `*`: anything else that was asked for. An empty name: nothing was asked for. Without a case: left out.',
    })

  const Json: z.ZodType<Json> = z
    .lazy(() =>
      z.union([
        Template,
        z.number(),
        z.boolean(),
        z.null(),
        z.array(Json).max(MAX_MEMBERS),
        Choice,
        bounded(
          z.record(
            z
              .string()
              .regex(/^(?!\$by$)/)
              .max(100),
            Json,
          ),
          MAX_MEMBERS,
        ),
      ]),
    )
    .meta({ id: 'json', description: 'JSON that is filled in leaf by leaf, and written as JSON afterwards.' })

  const Request = z
    .strictObject({
      method: z.enum(['GET', 'POST']).optional().describe('GET if left out. POST has a body, GET has none.'),
      path: z
        .string()
        .max(300)
        .regex(/^\/(?!\/)[^\s?#\\]*$/)
        .regex(/^(?!.*(?:\/\/|\/\.{1,2}(?:\/|$)))/)
        .regex(TEMPLATE)
        .describe('Appended to the base URL. What a variable stands for is encoded as one segment.'),
      query: bounded(
        z.record(ParameterName, z.union([Template, z.number(), z.boolean(), Choice])),
        MAX_MEMBERS,
      ).optional(),
      headers: bounded(z.record(HeaderName, HeaderTemplate), 10).optional(),
      body: Json.optional(),
    })
    .refine(
      ({ method = 'GET', body }) => (method === 'POST') === (body !== undefined),
      'POST needs a body, and GET has none',
    )
    .meta({ id: 'request' })

  const ReplyPointer = z
    .string()
    .max(200)
    .regex(/^#(?:\/(?:[^/~${}]|~[01])*)*$/)

  const Value: z.ZodType<Value> = z
    .lazy(() =>
      z.union([
        Pointer,
        z.array(Value).min(2).max(5),
        z.strictObject({
          from: Pointer,
          join: z.string().max(10).optional().describe('Between the elements of a list; " … " if left out.'),
          after: text(20).optional().describe('Only what follows the last of these.'),
          map: bounded(z.record(z.string().max(60), z.string().max(200)), MAX_MEMBERS)
            .optional()
            .describe('A text for each value; nothing for any other.'),
          markup: z.enum(['html', 'markdown']).optional().describe('html if left out.'),
          unit: z.enum(['s', 'ms', 'us', 'ns', 'ticks', 'min']).optional().describe('Of a number; s if left out.'),
        }),
        z.strictObject({
          template: z
            .string()
            .max(300)
            .regex(
              /^(?:[^$]|\$(?!\{|\$\{)|\$\$\{|\$\{(?:link|lang\.base|setting\.[a-z][A-Za-z0-9]*|[a-z][A-Za-z0-9]{0,20}|#?(?:\/[^}:/]*)+(?::(?:path|raw))?)\})+$/,
            )
            .describe(
              'Text with `${link}` (the address for readers), `${lang.base}`, `${setting.NAME}`, `${NAME}` of `let`, `${/pointer}` (encoded as one segment), `${/pointer:path}` (keeps slashes) and `${/pointer:raw}` (not encoded). Without a value for one of them, there is none.',
            ),
        }),
        z.strictObject({ in: ReplyPointer, key: Pointer, take: Pointer }),
        z.strictObject({ in: ReplyPointer, index: z.literal(true), take: Pointer }),
        z.strictObject({ in: ReplyPointer, where: Pointer, is: Pointer, take: Pointer }),
      ]),
    )
    .meta({
      id: 'value',
      description:
        'A pointer; a list of values, of which the first that is not empty counts; a pointer with more to it (`from`); an address or text that is built (`template`); or a look-up elsewhere in the reply (`in`): by `key`, by the `index` of the result, or of the element `where` a pointer is equal to one of the result (`is`).',
    })

  const scalar = z.union([z.string().max(200), z.number(), z.boolean(), z.null()])
  const Condition = z
    .strictObject({ at: Pointer, is: scalar.optional(), isNot: scalar.optional(), exists: z.boolean().optional() })
    .refine(
      ({ is, isNot, exists }) => [is, isNot, exists].filter((test) => test !== undefined).length === 1,
      'needs one of is, isNot and exists',
    )
    .meta({ id: 'condition' })

  const ErrorRule = z
    .strictObject({
      status: z.int().min(200).max(599).optional(),
      when: Condition.optional(),
      page: z.literal('later').optional().describe('Only on pages after the first.'),
      means: z
        .enum(['rejected', 'throttled', 'blocked', 'unreachable', 'query', 'empty'])
        .describe('query: this query is refused. empty: a page without results.'),
      waitSeconds: z
        .union([z.int().min(1), Pointer])
        .optional()
        .describe('So many, or where they are, in a number or a text. Retry-After, if there is one, wins.'),
    })
    .refine(({ status, when }) => status !== undefined || when !== undefined, 'needs a status or a condition (when)')

  const Reply = z
    .strictObject({
      as: z
        .enum(['json', 'feed'])
        .optional()
        .describe('feed: RSS 2 or Atom, whose items have title, link, description, date, author and picture.'),
      jsonIn: Pointer.optional().describe(
        'A text that is itself JSON, as MCP sends it. Where it is there, results are read from it. Errors are not.',
      ),
      results: z
        .union([Pointer, z.array(Pointer).min(2).max(5)])
        .optional()
        .describe(
          'A list, or an object whose values are the results; several are joined. Absent in a reply: malformed.',
        ),
      mayLack: Condition.optional().describe(
        'Where this holds, a reply without the list means that nothing was found: `{"at": "#/success", "is": true}`.',
      ),
      keep: z.array(Condition).max(4).optional().describe('Only results that meet all of these.'),
      tags: Pointer.optional().describe(
        'What a result was tagged with by its author. With `safe`, those that are tagged as adult are left out.',
      ),
      correction: Value.optional(),
      errors: z
        .array(ErrorRule)
        .max(12)
        .optional()
        .describe('The first that applies, before the usual rules by status.'),
      let: bounded(z.record(z.string().regex(/^(?!link$)[a-z][A-Za-z0-9]{0,20}$/), Value), 4).optional(),
      hit: z.strictObject({
        title: Value,
        url: Value,
        description: Value.optional(),
        paper: z
          .strictObject({
            authors: Value.optional().describe(
              'Names: of a list, of which 100 are read, or one text in which `; ` stands between them.',
            ),
            venue: Value.optional().describe('The journal, conference or book.'),
            year: Value.optional().describe('The year, or a date that begins with it.'),
            doi: Value.optional(),
            citedBy: Value.optional(),
          })
          .optional()
          .describe('Only in science. `description` is the abstract.'),
        publisher: Value.optional(),
        thumbnail: Value.optional(),
        picture: Value.optional(),
        width: Value.optional(),
        height: Value.optional(),
        creator: Value.optional(),
        licence: Value.optional(),
        licenceUrl: Value.optional(),
        favicon: Value.optional(),
        publishedAt: Value.optional(),
        durationSeconds: Value.optional(),
        software: z
          .strictObject({
            stars: Value.optional(),
            downloads: Value.optional().describe('Of all versions together.'),
            language: Value.optional().describe('The programming language.'),
            licence: Value.optional().describe('As SPDX names it: `MIT`.'),
            version: Value.optional().describe('The latest release.'),
          })
          .optional()
          .describe('Only in code.'),
        sitelinks: bounded(z.record(text(30), Value), 4).optional(),
      }),
    })
    .refine(({ as, results }) => (as === 'feed') === (results === undefined), 'json needs results, and a feed has none')

  const Filters = z.array(z.enum(['safe', 'date', 'lang'])).max(3)
  const Languages = z.array(z.string().regex(/^[a-z]{2,3}$/)).min(1)

  const TabOf = z
    .strictObject({
      paging: z.strictObject({
        by: z
          .enum(['request', 'cut', 'none'])
          .describe(
            'request: the request names the page. cut: it asks for `upTo` results or all, and the page is cut out.',
          ),
        lastPage: z.int().min(1).max(50),
      }),
      honours: Filters.optional().describe('Filters that the provider applies, and so is asked with.'),
      byNature: Filters.optional().describe('Those of `honours` that need not be asked for.'),
      languages: Languages.optional(),
      regions: z
        .union([z.literal('any'), z.array(z.string().regex(/^[A-Z]{2}$/)).min(1)])
        .optional()
        .describe(
          'Countries whose results the provider favours or keeps to, as `DE`, or `any`; it is asked with `${region}` then. Left out: a region has no effect, and whoever asks for one is told.',
        ),
      operators: z
        .array(z.enum(TEXT_OPERATORS))
        .min(1)
        .optional()
        .describe(
          'What the provider understands in `${query}`: `filetype:pdf`, `intitle:oak`, `"oak tree"` (quotes). Bowerbird adds it, and checks the results of providers that do not.',
        ),
      imageFilters: z
        .strictObject({
          size: z.array(z.enum(IMAGE_FILTERS.size)).min(1).optional(),
          shape: z.array(z.enum(IMAGE_FILTERS.shape)).min(1).optional(),
          licence: z.array(z.enum(IMAGE_FILTERS.licence)).min(1).optional(),
          color: z.array(z.enum(IMAGE_FILTERS.color)).min(1).optional(),
          kind: z.array(z.enum(IMAGE_FILTERS.kind)).min(1).optional(),
        })
        .optional()
        .describe(
          'Only in images: what the provider is asked for by a choice, or what every picture of it is. Bowerbird checks size, shape and licence of what the others find.',
        ),
      hasTextInAnyLanguage: z.boolean().optional().describe('Bowerbird filters by language instead.'),
      takesDateRange: z
        .boolean()
        .optional()
        .describe(
          'The provider keeps to a first and a last day: `${since…}` is then the later of the two beginnings that are asked for, and `${until…}` the end.',
        ),
      knowsDates: z.boolean().optional().describe('Every result has a date, so Bowerbird filters by date instead.'),
      priceFactor: z.number().positive().optional(),
      request: Request,
      reply: Reply,
    })
    .meta({ id: 'tab' })

  return z.strictObject({
    $schema: z.string().max(300).optional(),
    bowerbird: z.literal(1).describe('The version of the format.'),
    slug: Slug.describe('As in ENGINE_A, and in capitals at the start of its settings.'),
    name: text(60),
    homepage: Address,
    keysUrl: z
      .string()
      .max(300)
      .regex(/^https:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/)
      .optional()
      .describe('The page that gives out keys, or says how to get one.'),
    note: text(600).optional(),
    private: z
      .boolean()
      .optional()
      .describe("People's own things: only MINE can name it, and its replies are never in a shared cache."),
    baseUrl: Address.optional().describe(
      'Left out: a service of the operator, who must set <SLUG>_URL, and may set <SLUG>_LINK_URL, its address for readers.',
    ),
    settings: bounded(
      z.record(
        SettingName,
        z.strictObject({
          default: z.string().max(200).optional().describe('Left out: required.'),
          help: text(200).optional(),
          oneOf: z.array(z.string()).min(2).optional(),
        }),
      ),
      8,
    ).optional(),
    auth: z
      .union([
        z.strictObject({ bearer: SecretName, optional: z.boolean().optional() }),
        z.strictObject({
          header: HeaderName,
          secret: SecretName,
          prefix: z
            .string()
            .regex(/^[\x21-\x7e]{1,20} ?$/)
            .optional(),
          optional: z.boolean().optional(),
        }),
        z.strictObject({
          basic: z.strictObject({ user: SettingName.describe('The name of a setting.'), password: SecretName }),
          optional: z.boolean().optional(),
        }),
        z.strictObject({ query: ParameterName, secret: SecretName, optional: z.boolean().optional() }),
      ])
      .optional(),
    longestQuery: z.strictObject({ characters: z.int().min(1), words: z.int().min(1) }).optional(),
    terms: z.strictObject({
      cacheSeconds: z
        .int()
        .min(0)
        .max(31 * 86_400),
      cacheIn: z.enum(['memory', 'shared']).optional().describe('memory if left out.'),
      pricePerCallMicros: z.int().min(0).optional(),
      isPriceUnknown: z.literal(true).optional(),
      hasFreeKeys: z.literal(true).optional().describe('The provider gives its keys away, within its limits.'),
      attribution: z.string().max(200).optional(),
      rateLimit: z.strictObject({ calls: z.int().min(1), perSeconds: z.int().min(1) }).optional(),
      dailyCalls: z.int().min(1).optional(),
      restSeconds: z.int().min(0).optional(),
      asOf: z.string().regex(/^20\d\d-\d\d-\d\d$/),
      unverified: z.string().max(200).optional(),
    }),
    tabs: z.partialRecord(z.enum(TABS), TabOf).optional(),
    suggest: z
      .strictObject({ request: Request, list: Pointer, text: Value.optional(), languages: Languages.optional() })
      .optional(),
    hasNoContract: z.literal(true).optional(),
    isBowerbird: z
      .literal(true)
      .optional()
      .describe(
        'Another instance of this program. Each call says so in `Via`, and it is not asked on behalf of a third instance, so that no search goes round in circles.',
      ),
    tierOf: Slug.optional(),
    index: Slug.optional().describe(
      "Whose index it shows, if it isn't its own: `google`, `bing`. `unknown`: it doesn't say, or mixes several. Engines that show the same index don't confirm each other.",
    ),
  })
}

let format: ReturnType<typeof makeFormat> | undefined

export function documentFormat(): ReturnType<typeof makeFormat> {
  format ??= makeFormat()
  return format
}

export type EngineDocument = z.output<ReturnType<typeof makeFormat>>
export type DocumentTab = NonNullable<NonNullable<EngineDocument['tabs']>['web']>
export type DocumentRequest = DocumentTab['request']
export type DocumentReply = DocumentTab['reply']
export type ErrorRule = NonNullable<DocumentReply['errors']>[number]
export type Condition = NonNullable<DocumentReply['mayLack']>
