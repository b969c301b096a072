import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { markdownText, plainText } from './plain-text.ts'

/** Long enough that even a quick search from each character to the end takes four times the bound. */
const HALF_MEGABYTE = 2 ** 19

/** Strings in which tags, comments, entities and white space are far likelier than in arbitrary text. */
const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom('<', '>', '<b>', '</b>', '<!--', '-->', '<script>', '</script', '"', "'", '/', ' ', '\n', '\0'),
      fc.constantFrom(
        '&',
        '&amp;',
        '&lt;',
        '&#60;',
        '&#x202e;',
        '#',
        ';',
        'b',
        'x',
        '\u202e',
        '\u00a0',
        '\ud83d',
        '😀',
      ),
      fc.string({ maxLength: 4, unit: 'binary' }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('plainText', () => {
  it.each([
    ['ordinary text, as it is', 'ordinary text, as it is'],
    ['A <strong>hand</strong>book &amp; guide', 'A handbook & guide'],
    ['one<br>two<p class="x">three</p>four', 'one two three four'],
    ['a < b and c > d, <3, 5<6', 'a < b and c > d, <3, 5<6'],
    ['&lt;b&gt;', '<b>'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['before<!-- a > b <i> -->after', 'beforeafter'],
    ['before<!-->after', 'beforeafter'],
    ['a<!DOCTYPE html>b<?xml version="1.0"?>c</>d', 'abcd'],
    ['x<script>if (a < b) alert("</b>")</SCRIPT >y<style media="a>b">i{}</style>z', 'xyz'],
    ['<a title="1 > 0" href=\'x>y\'>link</a>', 'link'],
    ['cut off <stro', 'cut off'],
    ['cut off <a href="https://example.org', 'cut off'],
    ['cut off <!-- never closed', 'cut off'],
    ['cut off <script>never closed', 'cut off'],
    ['<<b>b>', '< b>'],
  ])('takes the tags out of %j', (given, expected) => {
    expect(plainText(given)).toBe(expected)
  })

  it.each([
    ['caf&eacute; &Eacute;t&eacute; &yuml;&nbsp;&szlig;', 'café Été ÿ ß'],
    ['it&#39;s &#x27;n&#X27; &#39', "it's 'n' '"],
    ['&ldquo;5&thinsp;&euro;&rdquo; &hellip; &frac12; &Delta; &pi;', '“5 €” … ½ Δ π'],
    ['&#128;&#146;&#x99;', '€’™'],
    ['a&#0;b&#xD800;c&#x110000;d&#129;e&#99999999999999999999;f', 'abcdef'],
    ['AT&T R&D; &unknown; &#; &#x; & &;', 'AT&T R&D; &unknown; &#; &#x; & &;'],
    ['&#128512; &check;', '😀 ✓'],
  ])('decodes the entities of %j', (given, expected) => {
    expect(plainText(given)).toBe(expected)
  })

  it.each([
    ['  a \t\r\n b\u00a0\u2003c\u3000 ', 'a b c'],
    ['a\u0000\u0007\u007f\u009bb', 'ab'],
    ['a\u202eb\u2066c\u2069d&#x202e;e', 'abcde'],
    ['می‌خواهم 👩‍👩‍👧', 'می‌خواهم 👩‍👩‍👧'],
    ['half \ud83d pair', 'half \ufffd pair'],
    [' ', ''],
    ['', ''],
  ])('tidies %j', (given, expected) => {
    expect(plainText(given)).toBe(expected)
  })

  it('cuts after a whole word and never beyond the length asked for', () => {
    expect(plainText('one two three', 13)).toBe('one two three')
    expect(plainText('one two three', 12)).toBe('one two…')
    expect(plainText('one two three', 8)).toBe('one two…')
    expect(plainText('indivisible', 6)).toBe('indiv…')
    expect(plainText('abc😀def', 5)).toBe('abc…')
  })

  it('never throws, never exceeds the length, never leaves a disturbing character or loose white space', () => {
    fc.assert(
      fc.property(markup, fc.nat(50), (given, length) => {
        const text = plainText(given, length)
        expect(text.length).toBeLessThanOrEqual(length)
        expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]|\s\s|^\s|\s$/u)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('leaves no tag of a text without entities, and a second cleaning changes nothing', () => {
    fc.assert(
      fc.property(markup, (given) => {
        const text = plainText(given.replaceAll('&', ''))
        expect(text).not.toMatch(/<[a-z/!?]/i)
        expect(plainText(text)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('decodes exactly once: what was escaped comes back as it was', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        const tidy = given.replaceAll(/\s+/g, ' ').trim()
        expect(plainText(tidy.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))).toBe(tidy)
      }),
    )
  })

  it.each([
    '<',
    '&',
    '<!--',
    '</',
    '<a',
    '<a "',
    '<script>',
    '<script></',
    '<style></style',
    '<b>',
    '&#',
    '&#0',
    '&#x',
    '&amp',
    '&amp;',
    ' \n',
    '\u202e',
    '\u200c',
    '\u{e0041}',
    '\ud83d',
  ])('takes no longer than a moment for half a megabyte of %j', (piece) => {
    const hostile = piece.repeat(HALF_MEGABYTE / piece.length)
    const spentMs = startCpuTimer()
    plainText(hostile, 1000)
    expect(spentMs()).toBeLessThan(500)
  })
})

it.each([
  ['# Heat pumps\n\nA **heat pump** moves [heat](https://a.example/heat).', 'Heat pumps A heat pump moves heat.'],
  ['![logo](https://a.example/l.png) Text & more', 'Text & more'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['> quoted\n- one\n- two', 'quoted one two'],
  ['C# and a - b stay, snake_case too', 'C# and a - b stay, snake_case too'],
  ['<b>bold</b> &amp; `code`', 'bold & code'],
  [7, ''],
])('markdownText: %j is %j', (markdown, text) => {
  expect(markdownText(markdown)).toBe(text)
})

it('markdownText: is cut after 400 characters', () => {
  expect(markdownText('word '.repeat(500)).length).toBeLessThanOrEqual(400)
})

it('markdownText: takes little time for hostile input', () => {
  const timer = startCpuTimer()
  for (const piece of ['![', '[a](', '**', '|', '> ', '![a]((']) markdownText(piece.repeat(500_000))
  expect(timer()).toBeLessThan(1_000)
})
