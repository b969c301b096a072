// Generated from en/*.json by `npm run docs`; not edited by hand.

export type AccountsWords = {
  username: string
  password: string
  newPassword: string
  repeatPassword: string
  passwordHelp: string
  shortPassword: string
  longPassword: string
  differentPassword: string
  samePassword: string
  badUsername: string
  takenUsername: string
  waitSeconds: (values: { seconds: number }) => string
  waitMinutes: (values: { minutes: number }) => string
  signIn: {
    title: string
    submit: string
    whom: (values: { host: string | number }) => string
    wrong: string
    disabled: string
    expired: string
    signedOut: string
    codeTitle: string
    code: string
    codeHelp: string
    wrongCode: string
    continue: string
    newTitle: string
    newHelp: string
    startOver: string
  }
  setup: {
    title: string
    intro: string
    token: string
    tokenHelp: string
    wrongToken: string
    submit: string
  }
  account: {
    title: string
    signedInAs: (values: { username: string | number }) => string
    administrator: string
    passwordTitle: string
    present: string
    wrongPassword: string
    change: string
    changeHelp: string
    changed: string
    sessionsTitle: string
    sessionsHelp: string
    browser: string
    unknownBrowser: string
    thisBrowser: string
    signedInAt: string
    lastSeen: string
    end: string
    ended: string
    endAll: string
  }
  factor: {
    title: string
    off: string
    on: (values: { left: number }) => string
    begin: string
    setupTitle: string
    scan: string
    qrLabel: string
    key: string
    codeHelp: string
    confirm: string
    wrongCode: string
    codesTitle: string
    codesHelp: string
    codesLabel: string
    done: string
    switchOff: string
    switchedOff: string
  }
  keys: {
    title: string
    intro: string
    create: string
    emptyTitle: string
    emptyHelp: string
    caption: string
    name: string
    unnamed: string
    key: string
    created: string
    lastUsed: string
    never: string
    month: string
    state: string
    states: {
      active: string
      expired: string
      revoked: string
    }
    expires: (values: { when: string | number }) => string
    olderUntil: (values: { prefix: string | number; when: string | number }) => string
    inactive: (values: { count: number }) => string
    actions: string
    rotate: string
    revoke: string
    newTitle: string
    nameHelp: string
    expiry: string
    expiries: {
      never: string
      d7: string
      d30: string
      d90: string
      d365: string
    }
    defaultExpiry: (values: { days: number }) => string
    scopes: string
    scopeNames: {
      search: string
      maps: string
      translate: string
      answers: string
      read: string
      read_links: string
      mine: string
      address: string
    }
    scopeUses: {
      search: string
      maps: string
      translate: string
      answers: string
      read: string
      read_links: string
      mine: string
    }
    noScope: string
    addressAlone: string
    addressWarning: string
    networks: string
    networksHelp: string
    badNetworks: (values: { most: number }) => string
    onlyFrom: (values: { networks: string | number }) => string
    badName: string
    createdTitle: string
    rotatedTitle: string
    once: string
    tryIt: string
    backToKeys: string
    rotateTitle: string
    rotateHelp: string
    grace: string
    graces: {
      s0: string
      h1: string
      h24: string
      d7: string
    }
    rotateSubmit: string
    revokeTitle: string
    revokeHelp: string
    revokeSubmit: string
    revoked: string
    connected: string
    renewsItself: string
    notActive: string
    tooMany: (values: { most: number }) => string
    tooManyNew: (values: { minutes: number; most: number }) => string
  }
  oauth: {
    title: string
    intro: string
    name: string
    goesTo: string
    check: string
    local: string
    allow: string
    deny: string
    expiredTitle: string
    expiredHelp: string
    badTitle: string
    badHelp: string
  }
  identity: {
    title: string
    help: string
    signIn: (values: { name: string | number }) => string
    signInAs: (values: { username: string | number }) => string
    connect: string
    connected: string
    notConnected: string
    disconnect: string
    nowConnected: string
    nowDisconnected: string
    onlyWay: string
    taken: (values: { name: string | number }) => string
    another: (values: { name: string | number }) => string
    leaving: (values: { name: string | number }) => string
    leavingHelp: string
    unavailable: (values: { name: string | number }) => string
    denied: (values: { name: string | number }) => string
    unproven: (values: { name: string | number }) => string
    notAllowed: (values: { name: string | number }) => string
    notConnectedYet: string
    nameTaken: string
    unknownToUs: (values: { username: string | number }) => string
    passwordOff: string
    noPassword: string
    confirm: (values: { name: string | number }) => string
    notYours: string
    signOutThere: (values: { name: string | number }) => string
  }
  users: {
    title: string
    caption: string
    create: string
    role: string
    admin: string
    user: string
    state: string
    active: string
    disabled: string
    created: string
    you: string
    newTitle: string
    newHelp: string
    makeAdminField: string
    makeAdminHelp: string
    createdTitle: (values: { username: string | number }) => string
    resetTitle: (values: { username: string | number }) => string
    handOver: string
    passwordLabel: string
    backToUsers: string
    roleTitle: string
    makeAdmin: string
    removeAdmin: string
    accessTitle: string
    disable: string
    disableHelp: string
    enable: string
    enableHelp: string
    resetSection: string
    resetHelp: string
    resetFactor: string
    resetFactorHelp: string
    reset: string
    lastAdmin: string
    nowDisabled: (values: { username: string | number }) => string
    nowEnabled: (values: { username: string | number }) => string
    nowAdmin: (values: { username: string | number }) => string
    nowUser: (values: { username: string | number }) => string
  }
}

export type SecurityWords = {
  weakPassword: {
    common: string
    name: string
  }
  stalePassword: string
  signOut: {
    title: string
    help: string
  }
  confirm: {
    title: string
    help: string
    helpElsewhere: string
    submit: string
  }
  required: {
    title: string
    help: string
    passkeyInstead: string
    appInstead: string
  }
  factorState: {
    app: string
    appOn: string
    appOff: string
    appBegin: string
    appEnd: string
    noneOff: string
    codesLeft: (values: { left: number }) => string
  }
  codeOrRecovery: string
  recoveryHelp: string
  recovery: {
    title: string
    renew: string
    help: string
    submit: string
    codesTitle: string
  }
  passkeys: {
    title: string
    intro: string
    needsScript: string
    needsHttps: string
    second: string
    emptyTitle: string
    empty: string
    count: (values: { count: number }) => string
    manage: string
    add: string
    addTitle: string
    name: string
    nameHelp: string
    badName: string
    unnamed: string
    created: string
    lastUsed: string
    edit: string
    rename: string
    remove: string
    removeHelp: string
    added: string
    removed: string
    renamed: string
    codesTitle: string
    signIn: string
    use: string
    failed: string
    wrong: string
  }
  audit: {
    title: string
    intro: (values: { days: number }) => string
    caption: string
    mine: string
    mineHelp: string
    all: string
    activity: string
    none: string
    when: string
    what: string
    who: string
    about: string
    network: string
    networkHelp: string
    newNetwork: string
    since: string
    commandLine: string
    nobody: string
    user: string
    event: string
    anyEvent: string
    filter: string
    unknownUser: string
    older: string
    newest: string
    outcomes: {
      failed: string
      throttled: string
    }
    key: (values: { name: string | number }) => string
    events: {
      'sign-in': string
      'sign-out': string
      'session-ended': string
      'all-sessions-ended': string
      'identity-confirmed': string
      setup: string
      'password-changed': string
      'password-reset': string
      'second-factor-on': string
      'second-factor-off': string
      'recovery-code-used': string
      'recovery-codes-renewed': string
      'passkey-added': string
      'passkey-removed': string
      'identity-connected': string
      'identity-disconnected': string
      'key-created': string
      'key-rotated': string
      'key-revoked': string
      'key-new-network': string
      'services-changed': string
      'feeds-changed': string
      'user-created': string
      'user-disabled': string
      'user-enabled': string
      'user-deleted': string
      'invitation-created': string
      'invitation-revoked': string
      'invitation-accepted': string
      'account-exported': string
      'role-granted': string
      'role-removed': string
      'access-denied': string
      'settings-changed': string
      'site-rules-changed': string
      'secret-rotated': string
      backup: string
      restore: string
      'events-left-out': string
    }
    details: {
      password: string
      'new-password': string
      code: string
      'recovery-code': string
      passkey: string
      'identity-provider': string
      'trusted-header': string
      'not-connected': string
      'not-allowed': string
      'name-taken': string
      disabled: string
      expired: string
      administrator: string
      service: string
      'with-second-factor': string
    }
  }
}

export type AppearanceWords = {
  title: string
  intro: string
  saved: string
  logo: string
  logoHelp: string
  noLogo: string
  logoFaults: {
    tooLarge: string
    notAPicture: string
    wrongSize: string
    active: string
  }
  accent: string
  accentHelp: string
  accentBecomes: (values: { light: string | number; dark: string | number }) => string
  badAccent: string
  badWelcome: string
  badLinks: string
  badPage: string
  fields: {
    welcome: {
      label: string
      help: string
    }
    links: {
      label: string
      help: string
    }
    imprint: {
      label: string
      help: string
    }
    privacy: {
      label: string
      help: string
    }
  }
  pages: {
    imprint: string
    privacy: string
  }
  density: string
  densities: {
    comfortable: string
    compact: string
  }
}

export type ConvertersWords = {
  amount: string
  from: string
  to: string
  convert: string
  swap: string
  change: string
  notNumber: string
  calculator: {
    title: string
    summary: string
    sum: string
    calculate: string
    keys: string
    clear: string
    back: string
    history: string
    notSum: string
  }
  units: {
    title: string
    summary: string
    kind: string
    showKind: string
    amount: string
    impossible: string
    kinds: {
      length: string
      mass: string
      time: string
      temperature: string
      speed: string
      data: string
      data_rate: string
      fuel_economy: string
      area: string
      volume: string
      power: string
      acceleration: string
      charge: string
      capacitance: string
      magnetic_flux_density: string
      force: string
      pressure: string
      energy: string
      torque: string
      angle: string
      absorbed_dose: string
      frequency: string
      voltage: string
      current: string
      resistance: string
      inductance: string
      radioactivity: string
      equivalent_dose: string
      illuminance: string
      luminance: string
      density: string
      flow: string
      viscosity: string
    }
  }
  currency: {
    title: string
    summary: string
    same: string
    tooLarge: string
    none: string
    failed: string
    past: (values: { from: string | number; to: string | number }) => string
    pastNone: string
    pastFailed: string
    days: (values: { days: number }) => string
    first: string
    last: string
    highest: string
    lowest: string
  }
  clock: {
    title: string
    summary: string
    place: string
    add: string
    remove: (values: { place: string | number }) => string
    ahead: (values: { difference: string | number }) => string
    behind: (values: { difference: string | number }) => string
    sameTime: string
    notFound: (values: { name: string | number }) => string
    full: (values: { places: number }) => string
    shift: string
    defaults: string
    utc: (values: { offset: string | number }) => string
  }
  colour: {
    title: string
    summary: string
    pick: string
    write: string
    show: string
    help: string
    notColour: string
    copy: (values: { form: string | number }) => string
  }
}

export type FeedsWords = {
  link: string
  title: string
  intro: string
  newTitle: string
  newHelp: string
  create: string
  createdTitle: string
  once: string
  formats: {
    xml: string
    json: string
  }
  either: string
  back: string
  empty: string
  emptyHelp: string
  search: string
  created: string
  fetched: string
  never: string
  unreadable: string
  remove: string
  removeOf: (values: { query: string | number }) => string
  removed: string
  full: (values: { most: number }) => string
  notThis: string
  noSecret: string
  describe: (values: { query: string | number; name: string | number }) => string
}

export type FindingWords = {
  help: string
  close: string
  more: {
    more: string
    loading: string
    arrived: (values: { count: number }) => string
    failed: string
  }
  keys: {
    title: string
    intro: string
    off: string
    change: string
    meanings: {
      field: string
      next: string
      previous: string
      open: string
      newTab: string
      more: string
      back: string
      top: string
      help: string
      close: string
    }
  }
  shortcuts: string
  shortcutsHelp: string
  related: {
    title: string
    none: string
    back: string
    sent: string
  }
}

export type ImagesWords = {
  label: string
  size: string
  creator: string
  licence: string
  previous: string
  next: string
  close: string
  filters: {
    size: {
      label: string
      any: string
      values: {
        small: string
        medium: string
        large: string
      }
    }
    shape: {
      label: string
      any: string
      values: {
        wide: string
        tall: string
        square: string
      }
    }
    licence: {
      label: string
      any: string
      values: {
        public: string
        share: string
        commercial: string
        modify: string
      }
    }
    color: {
      label: string
      any: string
      values: {
        red: string
        orange: string
        yellow: string
        green: string
        teal: string
        blue: string
        purple: string
        pink: string
        brown: string
        black: string
        gray: string
        white: string
        mono: string
      }
    }
    kind: {
      label: string
      any: string
      values: {
        photo: string
        drawing: string
      }
    }
  }
}

export type PapersWords = {
  authors: (values: { others: number; names: string | number }) => string
  citedBy: (values: { count: number }) => string
  openAccess: string
  doi: (values: { doi: string | number }) => string
  cite: string
  citePaper: (values: { title: string | number }) => string
  bibtex: string
}

export type PeopleWords = {
  data: {
    title: string
    help: string
    open: string
    downloadTitle: string
    downloadHelp: string
    download: string
    deleteTitle: string
    deleteHelp: string
    confirmName: string
    otherName: string
    delete: string
    deleted: string
  }
  users: {
    deleteSection: string
    deleteOpen: string
    deleteTitle: (values: { name: string | number }) => string
    deleteHelp: string
    delete: string
    deleted: string
  }
  service: {
    role: string
    help: string
    noSignIn: string
    keysHelp: string
    keyName: string
    back: string
    newKey: (values: { name: string | number }) => string
  }
  invitations: {
    title: string
    help: string
    create: string
    days: string
    daysLong: (values: { days: number }) => string
    createdTitle: string
    handOver: (values: { day: string | number }) => string
    link: string
    back: string
    open: string
    by: string
    until: string
    revoke: string
    revoked: string
    acceptTitle: string
    intro: (values: { host: string | number }) => string
    introElsewhere: (values: { host: string | number }) => string
    submit: string
    orElsewhere: string
    overTitle: string
    over: string
  }
  preferences: {
    intro: string
  }
}

export type RankingWords = {
  title: string
  intro: string
  start: string
  compare: string
  inForce: string
  inForceNone: string
  inForceFixed: (values: { setting: string | number }) => string
  scope: string
  inLanguage: (values: { tab: string | number; language: string | number }) => string
  engine: string
  weight: string
  weights: string
  calibrations: string
  calibrationsNone: string
  calibrationsHelp: string
  made: string
  progress: string
  progressOf: (values: { done: number; all: number }) => string
  finding: string
  history: string
  historyHelp: string
  changed: string
  historyBy: (values: { name: string | number }) => string
  byCommand: string
  beforeAll: string
  noWeights: string
  now: string
  useAgain: string
  undo: string
  restored: string
  applied: string
  deleted: string
  anyLanguage: string
  form: {
    title: string
    intro: string
    propose: string
    topics: {
      everyday: string
      health: string
      programming: string
      science: string
      travel: string
    }
    proposedLanguage: string
    proposeButton: string
    queries: string
    queriesHelp: (values: { most: number }) => string
    tab: string
    tabHelp: string
    language: string
    languageHelp: string
    create: string
    badQueries: (values: { most: number; length: number }) => string
  }
  grade: {
    title: string
    searchOf: (values: { at: number; all: number }) => string
    resultOf: (values: { at: number; all: number }) => string
    question: (values: { query: string | number }) => string
    help: string
    good: string
    goodHelp: string
    fair: string
    fairHelp: string
    bad: string
    badHelp: string
    keys: string
    back: string
    skip: string
    pause: string
    nextTitle: string
    nextSearch: (values: { query: string | number }) => string
    nextHelp: string
    enough: string
    failed: string
  }
  result: {
    title: string
    from: (values: { searches: number }) => string
    few: (values: { wanted: number }) => string
    better: (values: { low: string | number; high: string | number }) => string
    same: (values: { low: string | number; high: string | number }) => string
    worse: (values: { low: string | number; high: string | number }) => string
    unsure: (values: { low: string | number; high: string | number }) => string
    wanted: (values: { searches: number }) => string
    best: (values: { value: string | number }) => string
    words: {
      few: string
      better: string
      same: string
      worse: string
      unsure: string
    }
    interval: (values: { value: string | number; low: string | number; high: string | number }) => string
    bar: string
    worth: string
    worthHelp: string
    alone: string
    fixed: (values: { engines: string | number; setting: string | number }) => string
    apply: string
    applyFor: (values: { scope: string | number }) => string
    more: string
    searches: string
    query: string
    remove: string
    removeHelp: string
  }
}

export type CompareWords = {
  title: string
  heading: (values: { query: string | number }) => string
  ask: string
  query: string
  button: string
  merged: (values: { name: string | number }) => string
  searxng: string
  alone: (values: { name: string | number }) => string
  onlyHere: (values: { name: string | number }) => string
  foundBy: (values: { count: number }) => string
  columns: string
  nothing: string
  didNotAnswer: string
  onlyOne: string
  link: string
}

export type RegionWords = {
  label: string
  any: string
  help: string
  ignored: (values: { engines: string | number }) => string
}

export type ConfirmedWords = {
  label: string
  all: string
  two: string
  leftOut: (values: { count: number }) => string
  tooFew: string
}

export type SearchWords = {
  failures: {
    timeout: (values: { engine: string | number }) => string
    unreachable: (values: { engine: string | number }) => string
    throttled: (values: { engine: string | number }) => string
    blocked: (values: { engine: string | number }) => string
    rejected: (values: { engine: string | number }) => string
    malformed: (values: { engine: string | number }) => string
    overBudget: (values: { engine: string | number }) => string
    open: (values: { engine: string | number }) => string
    busy: (values: { engine: string | number }) => string
  }
  keyRefused: (values: { engine: string | number }) => string
  skips: {
    safe: (values: { engine: string | number }) => string
    date: (values: { engine: string | number }) => string
    lang: (values: { engine: string | number }) => string
    page: (values: { engine: string | number }) => string
    length: (values: { engine: string | number }) => string
    image: (values: { engine: string | number }) => string
    loop: (values: { engine: string | number }) => string
    enough: (values: { engine: string | number }) => string
  }
  filters: {
    label: string
    time: string
    safe: string
    language: string
    anyTime: string
    ranges: {
      d: string
      w: string
      m: string
      y: string
    }
    safeOn: string
    safeOff: string
    anyLanguage: string
  }
  results: string
  card: string
  didYouMean: string
  sitelinks: string
  foundBy: (values: { engines: string | number }) => string
  why: {
    ranked: (values: { places: string | number }) => string
    place: (values: { rank: number; engine: string | number }) => string
    score: string
    sameIndex: (values: { engines: string | number }) => string
  }
  dots: string
  sharedDots: string
  partial: (values: { failures: string | number; answered: string | number }) => string
  stale: (values: { failures: string | number }) => string
  failed: {
    title: string
    help: (values: { seconds: number }) => string
    again: string
    status: string
    spentTitle: string
    spentHelp: (values: { date: string | number }) => string
  }
  noProvider: {
    title: string
    help: string
    again: string
  }
  nothing: {
    title: string
    asked: (values: { engines: string | number }) => string
    unsupported: string
    help: string
    elsewhere: string
    otherSites: string
    withoutFilters: string
    lastPage: string
    firstPage: string
  }
  mine: {
    yours: (values: { name: string | number }) => string
    tokenRefused: (values: { engine: string | number }) => string
    all: string
    later: string
    show: string
    failed: string
  }
  early: {
    waitingFor: (values: { engines: string | number }) => string
    settled: string
    better: string
    sort: string
    failed: string
  }
  guard: {
    title: string
    found: (values: { names: string | number }) => string
    held: string
    refused: string
    without: string
    anyway: string
    removed: (values: { names: string | number }) => string
    names: {
      iban: string
      card_number: string
      private_key: string
      jwt: string
    }
    keyOf: (values: { vendor: string | number }) => string
  }
  bang: {
    title: (values: { host: string | number }) => string
    link: string
  }
  ask: {
    title: string
    help: string
  }
  tooLong: {
    title: string
    help: (values: { most: number }) => string
  }
  images: {
    untitled: string
    back: string
    openPage: string
    similar: string
    noSimilar: string
    gone: string
    goneHelp: string
    notShown: string
  }
  duration: string
  describe: (values: { name: string | number }) => string
  suggestions: string
}

export type AnswersWords = {
  label: string
  missing: string
  askedNobody: string
  searchWeb: (values: { query: string | number }) => string
  yes: string
  no: string
  details: string
  onWhite: string
  onBlack: string
  qrCode: (values: { content: string | number }) => string
  weather: {
    feelsLike: (values: { degrees: string | number }) => string
    humidity: string
    wind: string
    forecast: string
    day: string
    sky: string
    range: string
    rain: string
    today: string
    hours: string
    time: string
    temperature: string
  }
  partsOfSpeech: Readonly<Record<string, string>>
  credits: Readonly<Record<string, string>>
  cards: {
    more: string
    picture: string
    firstPublished: string
    editions: string
    languages: string
    acceptedAnswer: string
    onMap: (values: { name: string | number }) => string
    showMap: string
    directions: string
  }
  members: Readonly<Record<string, string>>
}

export type ReadingWords = {
  read: string
  minutes: (values: { minutes: number }) => string
  readPage: (values: { title: string | number }) => string
  back: string
  original: string
  again: string
  linksLabel: string
  bottomLinksLabel: string
  table: string
  code: string
  failed: string
  failures: {
    too_large: string
    too_complex: string
    not_text: string
    no_content: string
    robots: string
    blocked: string
    status: string
    redirects: string
    timeout: string
    unreachable: string
  }
  statusFailure: (values: { status: number }) => string
  expired: string
  expiredHelp: string
  busy: string
  busyHelp: string
}

export type MapsWords = {
  ask: {
    title: string
    help: string
  }
  results: string
  at: (values: { point: string | number }) => string
  nothing: {
    title: string
    help: string
    atPoint: string
  }
  badPoint: {
    title: string
    help: string
  }
  ownMap: {
    title: string
    zoomIn: string
    zoomOut: string
    credit: string
    twoFingers: string
    ctrlScroll: string
    commandScroll: string
    privacy: string
  }
  showMap: string
  hideMap: string
  mapOf: (values: { name: string | number }) => string
  directions: string
  openStreetMap: string
  mapApp: string
  more: string
  privacy: string
  notSetUp: {
    title: string
    help: string
    adminHelp: string
  }
  failed: string
  kinds: Readonly<Record<string, string>>
}

export type TranslateWords = {
  title: string
  from: string
  to: string
  detect: string
  swap: string
  text: string
  limit: (values: { most: string | number }) => string
  translate: string
  translation: string
  detected: (values: { language: string | number }) => string
  noText: string
  tooLong: (values: { most: string | number }) => string
  tooLongThere: string
  unknownSource: string
  undetected: string
  wrongTarget: string
  notSetUp: {
    title: string
    help: string
    adminHelp: string
  }
  failed: string
}

export type SettingsWords = {
  search: {
    title: string
    intro: string
    engines: string
    enginesHelp: string
    noEngine: string
    safe: string
    safeHelp: string
    language: string
    languageHelp: string
    suggestions: string
    suggestionsHelp: string
    cards: string
    cardsHelp: string
    answersFirst: string
    answersFirstHelp: string
    sent: {
      title: string
      searches: string
      cards: (values: { names: string | number }) => string
      suggestions: (values: { names: string | number }) => string
      noSuggestions: string
      pictures: string
      links: string
    }
    theme: string
    themes: {
      auto: string
      light: string
      dark: string
      contrast: string
    }
    newTab: string
    interface: string
    browserLanguage: string
    save: string
    saved: string
    takeAlong: string
    takeAlongHelp: string
    code: string
    import: string
    importField: string
    importHelp: string
    notACode: string
    imported: string
    reset: string
    wasReset: string
  }
  usage: {
    title: string
    intro: string
    empty: string
    emptyHelp: string
    incomplete: string
    days: (values: { days: number }) => string
    requestCount: (values: { count: number }) => string
    chart: (values: { requests: string | number; days: number }) => string
    none: (values: { days: number }) => string
    most: (values: { count: string | number; day: string | number }) => string
    day: (values: { day: string | number; count: string | number }) => string
    today: string
    utc: string
    table: string
    dayColumn: string
    requests: string
    byKind: string
    kind: string
    thisMonth: string
    total: string
    kinds: Readonly<Record<string, string>>
    byKey: string
    key: string
    allKeys: string
    moreKeys: (values: { count: number }) => string
    limits: string
    limitsHelp: string
    windows: Readonly<Record<string, string>>
    of: (values: { used: string | number; most: string | number }) => string
    full: (values: { when: string | number }) => string
  }
}

export type ConnectWords = {
  title: string
  intro: string
  kinds: {
    agent: string
    application: string
    browser: string
  }
  linesHelp: (values: { place: string | number }) => string
  replaceKey: (values: { key: string | number }) => string
  keyTitle: string
  keyHelp: (values: { scopes: string | number }) => string
  noKey: string
  signsIn: string
  createKey: (values: { name: string | number }) => string
  createdTitle: (values: { name: string | number }) => string
  once: string
  until: (values: { day: string | number }) => string
  testTitle: string
  testHelp: string
  test: string
  again: string
  nothing: string
  verdicts: {
    works: string
    partial: string
    refused: string
  }
  labels: {
    received: string
    door: string
    request: string
    carrier: string
    status: string
    reason: string
    search: string
    engines: string
    took: string
  }
  inUrl: string
  fromCache: string
  neverQuery: string
  back: string
}

export type ServicesWords = {
  title: string
  intro: string
  empty: string
  emptyHelp: string
  removed: string
  service: string
  address: string
  unreadable: string
  add: string
  noSecret: string
  full: (values: { most: number }) => string
  addTitle: (values: { name: string | number }) => string
  changeTitle: (values: { name: string | number }) => string
  together: string
  fields: Readonly<Record<string, {
    label: string
    help: string
  }>>
  secrets: Readonly<Record<string, {
    label: string
    help: string
  }>>
  secretHelp: string
  otherHelp: (values: { name: string | number }) => string
  save: string
  saved: string
  change: string
  remove: string
  back: string
  query: string
  queryMissing: string
  try: string
  works: string
  nothing: string
  mistakes: {
    missing: string
    unreadable: string
    address: string
    notAllowed: string
  }
  tokenRefused: string
  serverError: (values: { status: number }) => string
  unreachable: string
  notThis: (values: { name: string | number }) => string
}

export type AdminWords = {
  spent: {
    line: (values: { calls: string | number; when: string | number }) => string
    addKey: (values: { settings: string | number; slug: string | number; free: string | number }) => string
    largerPlan: (values: { setting: string | number }) => string
  }
  providers: {
    title: string
    index: string
    month: (values: { month: string | number; calls: string | number; money: string | number }) => string
    callCount: (values: { count: number }) => string
    noCosts: string
    empty: string
    emptyHelp: string
    hidden: string
    serves: string
    calls: string
    money: string
    of: (values: { used: string | number; most: string | number }) => string
    idle: string
    unpaid: (values: { calls: string | number }) => string
    paid: (values: { calls: string | number; money: string | number; price: string | number }) => string
    noCap: (values: { setting: string | number }) => string
    spent: (values: { day: string | number }) => string
    changes: string
    changesHelp: (values: { days: number }) => string
    noChanges: (values: { days: number }) => string
    more: (values: { count: number }) => string
    when: string
    provider: string
    state: string
    reason: string
    ok: string
  }
  contributions: {
    title: string
    help: (values: { days: number }) => string
    none: (values: { days: number }) => string
    unreadable: string
    engine: string
    searches: string
    alone: string
    agreement: string
    time: string
    failures: string
    cost: string
  }
  engines: {
    title: string
    intro: string
    sections: {
      used: string
      ready: string
      needing: string
    }
    free: string
    noPrice: string
    pricePerThousand: (values: { price: string | number }) => string
    ownServer: string
    inUse: (values: { letters: string | number }) => string
    off: string
    notInUse: string
    needsKey: string
    needsAddress: string
    queriesGo: (values: { host: string | number }) => string
    queriesStay: string
    recipients: {
      foundation: string
      company: string
      contract: string
    }
    website: string
    filters: {
      label: string
      safe: string
      date: string
      anyLanguage: string
      languages: (values: { count: number }) => string
      none: string
    }
    index: string
    indexUnknown: string
    indexDoubts: {
      alike: (values: { engines: string | number; share: string | number }) => string
      different: (values: { engines: string | number; share: string | number }) => string
    }
    daily: string
    asOfLabel: string
    unverifiedLabel: string
    needsOthers: (values: { settings: string | number }) => string
    fromEnvironment: (values: { setting: string | number }) => string
    fromDatabase: string
    byDefault: string
    key: string
    keyHelp: string
    keyOptional: string
    keyStored: string
    saveKey: string
    place: string
    placeOff: string
    placeNext: string
    placeIn: (values: { letters: string | number }) => string
    weight: (values: { letter: string | number }) => string
    weightHelp: string
    when: (values: { letter: string | number }) => string
    whenHelp: string
    whenAlways: string
    whenThin: string
    badWhen: string
    caps: {
      calls: string
      usd: string
      help: string
    }
    badPlace: string
    badWeight: string
    badCalls: string
    badUsd: string
    saved: string
    sample: string
    tryQuery: string
    tryTab: string
    tryButton: string
    tryHelp: string
    notOn: string
    queryMissing: string
    callFree: string
    callCost: (values: { price: string | number }) => string
    callUnpriced: string
    exchange: string
    ms: (values: { ms: string | number }) => string
    reply: (values: { status: string | number; bytes: string | number; ms: string | number }) => string
    noReply: (values: { ms: string | number }) => string
    resultCount: (values: { count: number }) => string
    skipped: string
    cached: (values: { seconds: string | number }) => string
    notCached: string
    inMemory: string
    asOf: (values: { day: string | number }) => string
    unverified: (values: { text: string | number }) => string
    back: string
  }
  keyless: {
    title: string
    question: string
    choices: {
      none: {
        label: string
        help: string
      }
      foundations: {
        label: string
        help: (values: { names: string | number }) => string
      }
      all: {
        label: string
        help: (values: { names: string | number }) => string
      }
    }
    fixed: (values: { choice: string | number }) => string
    save: string
  }
  keys: {
    title: string
    help: string
    provider: string
    origin: string
    fromEnvironment: string
    fromDatabase: string
    remove: string
    key: string
    keyHelp: string
    save: string
    unknown: string
    missing: string
    noSecret: string
  }
  instance: {
    title: string
    intro: string
    name: string
    nameHelp: string
    badName: string
    access: string
    accesses: {
      users: {
        label: string
        help: string
      }
      public: {
        label: string
        help: string
      }
    }
    contact: string
    contactHelp: string
    badContact: string
    changed: (values: { settings: string | number }) => string
    nothing: string
    stored: string
    storedHelp: string
    nothingStored: string
    undo: string
    export: string
  }
  usage: {
    title: string
    intro: string
    unreadable: string
    unreadableHelp: string
    empty: string
    emptyHelp: string
  }
}

export type OwnEnginesWords = {
  title: string
  link: string
  intro: string
  isPublic: string
  back: string
  none: string
  noneHelp: string
  service: string
  origin: string
  origins: {
    preset: string
    folder: string
    document: string
  }
  state: string
  states: {
    on: string
    hidden: string
    unbound: string
  }
  actions: string
  edit: string
  try: string
  remove: string
  removeTitle: (values: { name: string | number }) => string
  removeHelp: string
  removeDocumentHelp: string
  keptBy: (values: { setting: string | number }) => string
  add: string
  addHelp: string
  kinds: {
    bookmarks: string
    documents: string
    feeds: string
    wikis: string
    libraries: string
    indexes: string
    web: string
  }
  another: string
  anotherHelp: string
  paste: string
  pasteHelp: string
  check: string
  mistake: (values: { line: number; message: string | number }) => string
  document: string
  documentHelp: string
  privateHelp: string
  publicHelp: string
  fields: {
    address: string
    link: string
    secret: string
  }
  helps: {
    address: string
    link: string
    secret: string
  }
  secretKept: string
  fromEnvironment: (values: { setting: string | number }) => string
  fallback: (values: { value: string | number }) => string
  optional: string
  problems: {
    missing: string
    again: string
    notAnAddress: string
    notOneOf: string
    secretInEnvironment: string
  }
  noPlace: {
    mine: string
    slots: string
  }
  save: string
  saved: string
  tryTitle: (values: { name: string | number }) => string
  tryHelp: string
  query: string
  queryMissing: string
  notOn: string
  results: (values: { count: number }) => string
  reply: (values: { status: string | number; ms: string | number }) => string
  noReply: (values: { ms: string | number }) => string
  free: string
  price: (values: { money: string | number }) => string
  dropped: string
  request: string
}

export type SetupWords = {
  railLabel: string
  steps: {
    account: string
    reach: string
    engines: string
    connect: string
    done: string
  }
  enginesInUse: (values: { count: number }) => string
  skip: string
  continue: string
  saveAndContinue: string
  reach: {
    title: string
    now: string
    fromRequest: string
    fromSetting: string
    encrypted: string
    unencrypted: string
    passkey: string
    addPasskey: string
  }
  engines: {
    title: string
    intro: string
    keyed: string
    keyedHelp: string
    more: string
    all: string
    keyless: string
  }
  connect: {
    title: string
    intro: string
    key: string
  }
  done: {
    title: string
    intro: string
    search: string
    next: {
      browser: {
        label: string
        help: string
      }
      people: {
        label: string
        help: string
      }
      passkey: {
        label: string
        help: string
      }
      engines: {
        label: string
        help: string
      }
      instance: {
        label: string
        help: string
      }
    }
  }
}

export type FrameWords = {
  skipToContent: string
  search: string
  searchLabel: string
  welcome: string
  addToBrowser: string
  tabs: {
    web: string
    images: string
    news: string
    videos: string
    science: string
    code: string
    maps: string
    translate: string
    mine: string
  }
  tabsLabel: string
  account: string
  settings: string
  signIn: string
  signOut: string
  status: string
  docs: string
  allUp: string
  someDown: (values: { down: number }) => string
  language: (values: { name: string | number }) => string
  draft: (values: { name: string | number; share: string | number }) => string
  footerLabel: string
  settingsLabel: string
  settingsPages: {
    search: string
    sites: string
    feeds: string
    services: string
    keys: string
    connect: string
    usage: string
    account: string
  }
  adminLabel: string
  adminPages: {
    engines: string
    ranking: string
    providers: string
    instance: string
    appearance: string
    sites: string
    users: string
    usage: string
    audit: string
  }
  copy: string
  copied: string
  save: string
  cancel: string
  back: string
  optional: string
  apply: string
  clear: string
  previousPage: string
  nextPage: string
  pagesLabel: string
  page: (values: { page: number }) => string
  formHasMistakes: string
  errors: {
    goHome: string
    tryAgain: string
    badRequest: string
    badRequestHelp: string
    forbidden: string
    forbiddenHelp: string
    formExpired: string
    formExpiredHelp: string
    notFound: string
    notFoundHelp: string
    notAllowed: string
    notAllowedHelp: string
    tooLarge: string
    tooLargeHelp: string
    tooMany: string
    tooManyWhose: string
    tooManyHelp: (values: { seconds: number }) => string
    overloaded: string
    overloadedHelp: (values: { seconds: number }) => string
    broken: string
    brokenHelp: (values: { id: string | number }) => string
    unavailable: string
    refused: string
  }
}

export type StatusWords = {
  title: string
  allUp: string
  noneDown: (values: { unknown: number }) => string
  someDown: (values: { down: number; all: number }) => string
  withoutContract: (values: { names: string | number }) => string
  noHistory: string
  empty: string
  emptyHelp: string
  states: {
    up: string
    down: string
    unknown: string
  }
  groups: Readonly<Record<string, string>>
  noData: string
  upShare: (values: { share: string | number }) => string
  day: (values: { day: string | number; share: string | number }) => string
  dayWithoutData: (values: { day: string | number }) => string
  barsHelp: (values: { days: number }) => string
  daysAgo: (values: { days: number }) => string
  today: string
  troubles: Readonly<Record<string, string>>
  advice: Readonly<Record<string, string>>
}

export type DocsWords = {
  title: string
  intro: string
  startTitle: string
  stepKey: string
  stepKeyLink: string
  stepAsk: string
  stepRead: string
  referenceTitle: string
  referenceHelp: string
  inEnglish: string
  documentLink: string
  errorsTitle: string
  errorsHelp: string
  limitsTitle: string
  limitsHelp: string
  connectTitle: string
  connectHelp: string
  connectLink: string
  examplesTitle: string
  parametersTitle: string
  fieldsTitle: string
  kindsTitle: string
  headersTitle: string
  nameLabel: string
  typeLabel: string
  meaningLabel: string
  statusLabel: string
  required: string
  browserTitle: string
  browserHelp: string
  programTitle: string
  programHelp: string
  agentTitle: string
  agentHelp: string
  knownTitle: string
  knownHelp: (values: { key: string | number }) => string
  createKeyFor: (values: { name: string | number }) => string
}

export type SitesWords = {
  menu: {
    label: (values: { site: string | number }) => string
    copy: string
    archived: string
    why: string
    more: string
    block: string
    raise: string
    lower: string
    pin: string
    none: string
    choose: string
  }
  changed: {
    block: (values: { site: string | number }) => string
    raise: (values: { site: string | number }) => string
    lower: (values: { site: string | number }) => string
    pin: (values: { site: string | number }) => string
    none: (values: { site: string | number }) => string
  }
  why: {
    raise: string
    lower: string
    pin: string
    prefer: string
  }
  blocked: (values: { count: number }) => string
  undo: string
  folded: (values: { count: number; site: string | number }) => string
  choosing: {
    title: (values: { site: string | number }) => string
    help: string
    back: string
  }
  page: {
    titles: {
      person: string
      browser: string
      instance: string
      key: string
    }
    intros: {
      person: string
      browser: string
      instance: string
      key: string
    }
    full: (values: { most: number }) => string
    list: {
      caption: string
      site: string
      action: string
      remove: string
      removeSite: (values: { site: string | number }) => string
      empty: string
      emptyHelp: string
      find: string
      findSubmit: string
      all: string
      noneFound: string
      shown: (values: { shown: number; all: number }) => string
    }
    actions: {
      block: string
      lower: string
      raise: string
      pin: string
    }
    rewrite: (values: { host: string | number }) => string
    add: {
      title: string
      site: string
      siteHelp: string
      action: string
      choices: {
        block: string
        lower: string
        raise: string
        pin: string
        rewrite: string
      }
      to: string
      toHelp: string
      submit: string
      badSite: string
      badTarget: string
    }
    import: {
      title: string
      help: string
      text: string
      file: string
      submit: string
      nothing: string
      problems: (values: { count: number }) => string
      more: (values: { count: number }) => string
      download: string
    }
    lists: {
      title: string
      help: string
      caption: string
      address: string
      action: string
      submit: string
      unsubscribe: string
      unsubscribeFrom: (values: { address: string | number }) => string
      list: string
      publisher: string
      licence: string
      size: string
      fetched: string
      never: string
      badAddress: string
    }
    done: {
      added: string
      removed: string
      subscribed: string
      unsubscribed: string
    }
    imported: (values: { count: number }) => string
  }
}

export type OperatorsWords = {
  label: string
  intro: string
  word: string
  phrase: string
  meanings: {
    site: string
    notSite: string
    after: string
    before: string
    filetype: string
    intitle: string
    quotes: string
  }
  datesHelp: string
  notUnderstood: (values: { words: string | number }) => string
  unchecked: (values: { engines: string | number }) => string
  leftOut: (values: { count: number }) => string
  without: string
}

export type SoftwareWords = {
  answered: string
  votes: (values: { count: number; shown: string | number }) => string
  version: (values: { version: string | number }) => string
  stars: (values: { count: number; shown: string | number }) => string
  downloads: (values: { count: number; shown: string | number }) => string
  copy: (values: { line: string | number }) => string
}

export type VideosWords = {
  views: (values: { count: number; shown: string | number }) => string
  opens: (values: { site: string | number }) => string
}

export type ToolsWords = {
  label: string
  intro: string
  all: string
  start: string
  pause: string
  reset: string
  stopwatch: {
    title: string
    summary: string
    lap: string
    laps: string
    needsScript: string
  }
  another: string
  strength: (values: { bits: string | number }) => string
  timer: {
    title: string
    summary: string
    hours: string
    minutes: string
    seconds: string
    more: string
    over: string
    ends: (values: { time: string | number }) => string
    needsScript: (values: { time: string | number }) => string
  }
  counter: {
    title: string
    summary: string
    text: string
    count: string
    counts: {
      characters: string
      words: string
      sentences: string
      lines: string
      bytes: string
    }
    readingTime: (values: { words: number }) => string
  }
  password: {
    title: string
    summary: string
    length: string
    setsLabel: string
    sets: {
      lower: string
      upper: string
      digits: string
      symbols: string
    }
    noSets: string
  }
  passphrase: {
    title: string
    summary: string
    words: string
  }
  qrCode: {
    title: string
    summary: string
    text: string
    make: string
    download: string
    tooLong: (values: { most: number }) => string
  }
}

export interface Words {
  accounts: AccountsWords
  security: SecurityWords
  appearance: AppearanceWords
  converters: ConvertersWords
  feeds: FeedsWords
  finding: FindingWords
  images: ImagesWords
  papers: PapersWords
  people: PeopleWords
  ranking: RankingWords
  compare: CompareWords
  region: RegionWords
  confirmed: ConfirmedWords
  search: SearchWords
  answers: AnswersWords
  reading: ReadingWords
  maps: MapsWords
  translate: TranslateWords
  settings: SettingsWords
  connect: ConnectWords
  services: ServicesWords
  admin: AdminWords
  ownEngines: OwnEnginesWords
  setup: SetupWords
  frame: FrameWords
  status: StatusWords
  docs: DocsWords
  sites: SitesWords
  operators: OperatorsWords
  software: SoftwareWords
  videos: VideosWords
  tools: ToolsWords
}
