import { expect, it } from 'vitest'
import { readingTime } from './reading-time.ts'

it.each([
  { what: 'nothing', text: '', minutes: 1 },
  { what: 'a few words', text: 'A short note.', minutes: 1 },
  { what: 'four minutes of words', text: 'word '.repeat(952), minutes: 4 },
  { what: 'dashes and bullets, which are no words', text: '– • … '.repeat(2_000), minutes: 1 },
  { what: 'an apostrophe or a hyphen within a word', text: 'don’t well-known '.repeat(476), minutes: 4 },
  { what: 'Chinese, which has no spaces', text: '气候是长期的天气。'.repeat(250), language: 'zh-Hans', minutes: 4 },
  { what: 'Japanese', text: 'これは長い文章です。'.repeat(222), language: 'ja', minutes: 4 },
  { what: 'Korean, which has spaces', text: '기후는 날씨의 평균이다 '.repeat(317), language: 'ko', minutes: 4 },
  { what: 'Chinese and English', text: `${'气'.repeat(1_000)} ${'word '.repeat(476)}`, language: 'zh', minutes: 4 },
  { what: 'a page without a language', text: 'word '.repeat(952), language: '', minutes: 4 },
  { what: 'Thai, of which it is not known', text: 'สภาพภูมิอากาศ'.repeat(500), language: 'th-TH', minutes: undefined },
])('the reading time of $what', ({ text, language = 'en', minutes }) => {
  expect(readingTime(text, language)).toBe(minutes)
})
