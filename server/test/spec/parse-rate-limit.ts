// Parses the RateLimit and RateLimit-Policy headers: `"burst";r=41;t=22, "sustained";r=4981;t=60`.

type Parameters = Record<string, number>

/** By limit name, in the order of the header. */
export const parseRateLimit = (header: string | null): Record<string, Parameters> =>
  Object.fromEntries(
    (header ?? '').split(', ').map((item) => {
      const [name = '', ...parameters] = item.split(';')
      return [
        name.replaceAll('"', ''),
        Object.fromEntries(
          parameters.map((parameter) => parameter.split('=')).map(([key, text]) => [key, Number(text)]),
        ),
      ]
    }),
  )
