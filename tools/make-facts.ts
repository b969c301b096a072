// Fills in the facts that documents mark. `server/test/facts.test.ts` fails if one is out of date.
import { fillFacts } from '../server/test/support/facts.ts'

fillFacts()
