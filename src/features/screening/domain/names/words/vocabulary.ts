/**
 * Words that are not a distinctive part of a name (titles, particles, suffixes, legal forms, numbers in words), and
 * spellings that are one name. Everything here is lower-case ASCII, as `normaliseName` leaves it.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);
const setOf = (text: string): ReadonlySet<string> => new Set(words(text));

/** Forms of address and offices, which are not part of the name. */
export const titles = setOf(`
  mr mrs ms miss mister sr sra srta senhor senhora senor senora dr dra doutor doutora doctor prof professor professora
  eng engenheiro ing adv advogado hon honorable rev reverend pastor padre frei bispo dom dona don doña sir lord lady dame
  herr frau monsieur madame mme mlle president presidente prasident praesident prezident minister ministro ministra
  senator senador senadora deputado deputada vereador vereadora prefeito prefeita governador governadora governor
  general gen coronel col colonel capitao captain capt major sargento sgt tenente lt lieutenant comandante commander
  cmdr admiral almirante brigadier king queen prince princess principe princesa rei rainha emir sheikh shaikh sheik
  shaykh cheikh xeque sultan hajji haji hajj hadji mullah mulla mullo maulavi mawlawi moulvi ustad ustaz imam ayatollah
  qari hafiz engineer lawyer ambassador embaixador cardinal cardeal archbishop excelentissimo exmo exma ilmo ilma`);

/** Small words inside names. They weigh little: a name with and without them is the same name. */
export const particles = setOf(`
  da de do das dos di del della dello degli du des d e y la le las los lo van von der den dem ter ten te zu zum zur af av
  bin ben ibn bint binti al el as ad an ar ul il aal ould st und och i the of and for in to a`);

/** Generation suffixes. Different suffixes mean two people of one family. */
export const suffixes: ReadonlyMap<string, string> = new Map([
  ...words('filho junior jr jnr fo fho').map((word) => [word, 'JUNIOR'] as const),
  ...words('neto netto').map((word) => [word, 'GRANDSON'] as const),
  ...words('sobrinho sobr').map((word) => [word, 'NEPHEW'] as const),
  ...words('senior snr').map((word) => [word, 'SENIOR'] as const),
  ...words('bisneto').map((word) => [word, 'GREAT_GRANDSON'] as const),
  ...words('segundo ii').map((word) => [word, 'SECOND'] as const),
  ...words('terceiro iii').map((word) => [word, 'THIRD'] as const),
  ...words('iv').map((word) => [word, 'FOURTH'] as const),
]);

/** Legal forms of several words, longest first, each with its one-word form. */
export const legalFormPhrases: readonly (readonly [readonly string[], string])[] = (
  [
    ['public joint stock company', 'jsc'],
    ['open joint stock company', 'jsc'],
    ['closed joint stock company', 'jsc'],
    ['joint stock company', 'jsc'],
    ['otkrytoe aktsionernoe obshchestvo', 'jsc'],
    ['publichnoe aktsionernoe obshchestvo', 'jsc'],
    ['zakrytoe aktsionernoe obshchestvo', 'jsc'],
    ['aktsionernoe obshchestvo', 'jsc'],
    ['obshchestvo s ogranichennoy otvetstvennostyu', 'llc'],
    ['limited liability company', 'llc'],
    ['limited liability partnership', 'llp'],
    ['societatea cu raspundere limitata', 'srl'],
    ['societa a responsabilita limitata', 'srl'],
    ['sociedad de responsabilidad limitada', 'srl'],
    ['societe a responsabilite limitee', 'sarl'],
    ['sociedad anonima de capital variable', 'sa'],
    ['sociedade anonima', 'sa'],
    ['sociedad anonima', 'sa'],
    ['societe anonyme', 'sa'],
    ['sociedade limitada', 'ltda'],
    ['gesellschaft mit beschrankter haftung', 'gmbh'],
    ['gesellschaft mit beschraenkter haftung', 'gmbh'],
    ['public limited company', 'plc'],
    ['private limited', 'ltd'],
    ['pty ltd', 'ltd'],
    ['pvt ltd', 'ltd'],
    ['pte ltd', 'ltd'],
    ['pty limited', 'ltd'],
    ['pvt limited', 'ltd'],
    ['pte limited', 'ltd'],
    ['co ltd', 'ltd'],
    ['co limited', 'ltd'],
    ['company ltd', 'ltd'],
    ['company limited', 'ltd'],
    ['sp z o o', 'spzoo'],
    ['sp zoo', 'spzoo'],
    ['d o o', 'doo'],
    ['s r l', 'srl'],
    ['s p a', 'spa'],
    ['s a', 'sa'],
    ['s s', 'simples'],
    ['sociedade simples', 'simples'],
    ['sociedade limitada unipessoal', 'ltda'],
    ['empresa individual de responsabilidade limitada', 'eireli'],
    ['e i r e l i', 'eireli'],
    ['ltda me', 'ltda'],
    ['ltda epp', 'ltda'],
    ['eireli me', 'ltda'],
    ['eireli epp', 'ltda'],
  ] as const
).map(([phrase, short]) => [words(phrase), short]);

/** Legal forms with their class: `AG` and `Aktiengesellschaft` share one, `Ltd` is another. */
export const legalForms: ReadonlyMap<string, string> = new Map(
  (
    [
      ['ltd', 'ltd limited ltda limitada lda eireli slu'],
      ['llc', 'llc ooo tov too'],
      ['llp', 'llp'],
      ['lp', 'lp'],
      ['jsc', 'jsc ojsc cjsc pjsc oao zao pao ao oaao vao aozt'],
      ['ag', 'ag akg aktiengesellschaft'],
      ['gmbh', 'gmbh mbh'],
      ['sa', 'sa'],
      ['srl', 'srl sarl'],
      ['spa', 'spa'],
      ['sas', 'sas'],
      ['company', 'company co comp cia companhia compania compagnie'],
      ['corporation', 'corporation corp inc incorporated'],
      ['plc', 'plc'],
      ['ltd', 'pte pty pvt'],
      ['bv', 'bv nv'],
      ['kg', 'kg ohg'],
      ['ab', 'ab as asa aps oy oyj'],
      ['spzoo', 'spzoo doo'],
      ['me', 'me epp mei'],
      ['simples', 'simples'],
      ['cooperative', 'cooperativa coop cooperative'],
      ['ano', 'ano nko'],
      ['sti', 'sti'],
      ['sdn', 'sdn bhd'],
      ['kk', 'kk'],
      ['fze', 'fze fzc fzco fzllc'],
    ] as const
  ).flatMap(([form, spellings]) => words(spellings).map((word) => [word, form] as const)),
);

/** Words that many organisations share, so that they hardly identify one. */
export const genericWords: ReadonlyMap<string, string> = new Map([
  ...words(`
    bank banco group grupo holding holdings international industries industry industrial trading services systems
    foundation fund trust capital management enterprise enterprises general organization organisation association
    institute committee ministry government center centre construction engineering technology technologies company
    shipping lines airlines aviation import export investment investments development national state central public
    university academy corporation partners solutions global network agency office union federation commercial
    comercio servicos empreendimentos participacoes industria construtora transportes`).map(
    (word) => [word, word] as const,
  ),
  ['intl', 'international'],
  ['int', 'international'],
  ['grp', 'group'],
  ['mgmt', 'management'],
  // Abbreviations of one trade, in Portuguese and English, count as one word.
  ...(
    [
      ['industry', 'ind indl industria industrias industrial industries'],
      ['commerce', 'com coml comercio comercial commercial'],
      ['distribution', 'distr dist distrib distribuidora distribuidor distribuicao distribution'],
      ['association', 'assoc associacao'],
      ['imobiliaria', 'imob imobiliaria imobiliarios'],
      ['participacoes', 'part partic participacoes'],
      ['empreendimentos', 'empreend emp empr empreendimentos'],
      ['construtora', 'constr construtora construcoes construcao'],
      ['transportes', 'transp transportes transportadora transporte'],
      ['servicos', 'serv servicos servico'],
      ['administradora', 'adm admin administradora administracao'],
      ['representacoes', 'repr repres representacoes'],
      ['foundation', 'fund fundacao'],
      ['importacao', 'imp importacao importadora'],
      ['exportacao', 'exp exportacao exportadora'],
    ] as const
  ).flatMap(([word, spellings]) => words(spellings).map((spelling) => [spelling, word] as const)),

  ['sys', 'systems'],
  ['assn', 'association'],
  ['inst', 'institute'],
  ['centre', 'center'],
  ['organisation', 'organization'],
  ['bnk', 'bank'],
]);

const units = words(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
);
const later = words('sixteen seventeen eighteen nineteen');
const ordinals = words(
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
);

/** Numbers in words, English and Portuguese. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...[...units, ...later].map((word, value) => [word, value] as const),
  ...ordinals.map((word, value) => [word, value] as const),
  ...words('primeiro segundo terceiro quarto quinto').map((word, i) => [word, i + 1] as const),
  ...words('um dois tres quatro cinco seis sete oito nove dez').map((word, i) => [word, i + 1] as const),
]);

export const tens: ReadonlyMap<string, number> = new Map([
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fourty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety', 90],
]);

/** Spellings of one name that differ in too many letters for the edit distance. The first represents all. */
const spellingGroups = `
  muhammad mohammed mohamed mohammad muhammed mohamad muhamad mohamud mahamad mahomed mehmet mohd muhammet mukhammad magomed mahamat mamadou
  ahmad ahmed ahmet akhmed akhmad achmad
  abdul abdel abdal abdoul abdol abdool abdou abd
  yusuf yousef youssef yousuf yusof yussuf josef joseph iosif yosef
  hussein husain hussain hossein husayn hussayn huseyn hosein hussien khusein
  hasan hassan hasen hassen khasan
  ibrahim ebrahim ibraheem brahim
  ismail ismael esmail ismaeel
  umar omar omer oumar
  usama osama oussama ussama
  uthman othman osman usman ousmane
  sulayman suleiman sulaiman suleyman soleiman solaiman souleymane
  said saeed sayed sayyid syed sayyed saied
  jamal gamal djamal cemal
  qasim kassem qassem kasim ghasem qasem
  khalid khaled halid
  mahmud mahmoud mehmud
  mustafa mostafa moustafa mustapha
  nasir naser nasser nassir
  rashid rasheed rachid
  tariq tarek tareq tarik
  zayd zaid zeid
  aziz azeez
  islam islom
  sergey sergei sergej serguei serhii serhiy sergiy sergejs siarhei
  aleksandr alexander aleksander alexandr oleksandr aliaksandr aleksandar alexandre alessandro alejandro alexandru
  aleksey alexei alexey aleksei oleksii oleksiy alexej
  dmitry dmitri dmitriy dmytro dimitri dzmitry dmitrij
  yevgeny evgeny evgeni yevgeni evgeniy yevhen eugene yevgeniy jewgeni
  mikhail mihail mikhailo mykhailo michail mixail
  nikolay nikolai nikolaj mykola nicolay mikalai
  vladimir volodymyr volodimir wladimir uladzimir vladymyr
  andrey andrei andrej andriy andrii andreas
  yuri yury yuriy yurii iurii juri iouri jurij
  viktor victor wiktor
  vasily vasiliy vasili vasyl wassili
  petr pyotr petro piotr
  pavel pavlo pawel
  ivan iwan
  igor ihor
  oleg oleh
  grigory grigoriy grigori hryhorii
  anatoly anatoliy anatoli anatolii anatolij
  gennady gennadiy gennadi hennadii
  arkady arkadii arkadiy arkadi
  yelena elena olena
  kim gim
  park pak bak
  lee yi ri rhee
  choe choi choy
  jong chong jeong
  jung chung
  yong ryong
  xi hsi
  zhang chang
  zhou chou
  qing ching
  wang wong
  john juan jon
  jose josé
  jean jan
  luis luiz louis
  michael michel mikael
  miguel migel
  felipe philip philippe filipe phillip
  thiago tiago
  raphael rafael
  teresa tereza therese theresa
  conceicao conceissao
  giovanni giovani geovani
  george jorge georgi georgy giorgi
  katherine catherine katarina catarina ekaterina yekaterina katerina
  elizabeth elisabeth elisabete elizabete
  stephen steven stefan
  george georges
  eric erik
  carl karl
  daoud dawood dawud daud
  faisal faysal feisal
  jafar jaafar gafar
  hamid hameed
  karim kareem
  salih saleh
  salim saleem
  walid waleed
  majid majeed
  latif lateef
  rahim raheem
  bashir basheer
  sharif shareef cherif
  nabil nabeel
  samir sameer
  munir mounir muneer
  mansur mansour mansoor
  faruq farouk farooq faruk
  fuad fouad foad
  tawfiq tawfik toufik taufiq
  yunus younis yunis younes
  yasin yassin yaseen
  yahya yahia
  haydar haider haidar hyder
  jabir jaber gaber
  malik malek
  bilal belal
  idris idriss edris
  imran emran
  harun haroon haroun
  ayyub ayub ayoub
  sadiq sadegh sadek sadik
  jawad javad
  nur noor nour
  zaynab zainab zeinab
  fatima fatimah fatma
  aisha aysha ayesha aicha
  khadija khadijah khadidja
  layla laila leila
  abu abou
  musa mousa moussa
  isa eisa essa issa
  ali aly
  nguyen nguen
  ramazan ramadan ramadhan
  mahdi mehdi
  riyadh riyad riad
  shaikh sheikh
  edmar edimar
  ednaldo edinaldo
  edson edison
  edvaldo edivaldo
  casemiro casimiro
  espindola spindola
  espinola spinola
  estela stela stella
  josemar josimar
  lourdes lurdes
  lourival lorival
  manoel manuel
  manoela manuela
  geovana giovana giovanna
  judite judith
  moraes morais
  novaes novais
  paes pais
  magalhaes magalhais
  guimaraes guimarais
  pascoal pascual
  soledad soledade
  stacey stacy
  tracey tracy
  andreia andrea
  batista bautista
  goncalves gonsalves
  cavalcante cavalcanti
  rosemeire rosimeire rosemere rosimere
  rabelo rebelo
  vaughan vaughn
  mueller muller
  sharp sharpe
  wolf wolfe
  simon simao
  valentin valentim`;

/**
 * Frequent Arabic names: the transliterated letters, and the name. Short vowels occur only in Latin letters and
 * distinguish none of these names.
 */
export const arabicNames: ReadonlyMap<string, string> = new Map(
  words(`
    mhmd:muhammad ahmd:ahmad mhmwd:mahmud hamd:hamid hmyd:hamid hsn:hasan hsyn:hussein ly:ali mr:umar thman:uthman
    ywsf:yusuf abrahym:ibrahim asmayl:ismail ashaq:ishaq aasama:usama asama:usama slyman:sulayman slman:salman sltan:sultan
    syd:said jmal:jamal kmal:kamal qasm:qasim hashm:hashim jasm:jasim khald:khalid khlyl:khalil mstfa:mustafa
    mrtda:murtada nasr:nasir nsr:nasr rashd:rashid rshyd:rashid tarq:tariq tahr:tahir zyd:zayd zyad:ziad zyz:aziz
    dawd:daoud dawwd:daoud fysl:faisal fhd:fahd jfr:jafar mwsa:musa ysa:isa mhdy:mahdi ryad:riyadh rmdan:ramadan
    salh:salih slah:salah salm:salim slym:salim krym:karim hmza:hamza blal:bilal nbyl:nabil wlyd:walid majd:majid
    mjyd:majid malk:malik mnswr:mansur mrwan:marwan nwr:nur smyr:samir shryf:sharif yasr:yasir yasyn:yasin yhya:yahya
    ywns:yunus hydr:haydar adl:adil dnan:adnan akrm:akram amyn:amin amyr:amir anwr:anwar ashrf:ashraf aymn:ayman
    bdr:badr bshyr:bashir bshar:bashar farwq:faruq fuad:fuad ghsan:ghassan hany:hani harth:harith hbyb:habib hsam:husam
    bas:abbas mad:imad ayad:iyad jabr:jabir jwad:jawad sadq:sadiq ltyf:latif rhym:rahim swd:saud twfyq:tawfiq
    harwn:harun aywb:ayyub adrys:idris mran:imran mnyr:munir zkrya:zakariya zynb:zaynab fatma:fatima aisha:aisha
    mrym:maryam khdyja:khadija lyla:layla sd:saad talb:talib tlal:talal`).map(
    (pair) => pair.split(':') as [string, string],
  ),
);

// Rare names, and the words of well-known groups in the usual spellings of the West and of Portuguese.
const rareSpellingGroups = `
  qadhafi gaddafi qaddafi kadhafi gadhafi khadafy kaddafi
  laden ladin
  qaida qaeda qaidah kaida kaeda caeda caida quaeda quaida
  hizballah hizbullah hezbollah hizbollah hezbolla hezbola hisbola hisbolla hizbolah hesbollah hezballah hizbala hisbollah
  taliban taleban taliba taleba talibans talibas
  daesh daish daiish daech dahesh
  shabaab shabab chabab xebab chebab shebab
  nusra nusrah nosra nosrah nussra
  houthi huthi houthis huthis huti hutis houti
  ansarallah ansarullah ansarollah ansarala
  jihad yihad djihad jehad
  haqqani haqani hakkani
  tayyiba toiba taiba tayba taibah tayba
  jaish jaysh jeish yaish
  mujahidin mujahideen mujahedin mojahedin mujahedeen mujaidin
  khorasan khurasan khorassan
  islamiyah islamiya islamia islamiyya`;

/** Short and pet forms. They count less than a spelling, because several names may share one. */
const nicknameGroups = `
  john jack johnny
  anthony tony
  charles charlie chuck
  barack barry
  katherine kate kathy katie katya
  andrew andy drew
  alexander alex sasha aleksandr sandro xande
  vladimir vova volodya vlad
  nikolay kolya
  dmitry dima mitya
  yevgeny zhenya
  sergey seryozha serg
  gregory greg
  kenneth ken kenny
  christopher chris
  abigail gail abby
  abraham abe bram
  adalberto beto dalberto
  adelaide dede adele
  ademir mirinho
  adriana dri adri drica
  adriano dri adri drico
  agostinho tinho guto
  alberto beto bebeto
  albert al bert bertie
  alessandra ale sandra lele
  alexandra ale sandra alex xanda lexi
  alexandre ale alex xande xandao xandinho
  alfredo fredo fred dinho
  alfred alf fred alfie
  alice lice licinha
  aline lili
  aloisio luisinho lolo
  amanda mandy mandinha mandoca
  amelia memel millie
  ana aninha anita nana nani
  anderson dede andy
  andre deco dede andrezinho
  andrea dea deia
  angela gela lela angie
  angelica lica angel
  antonia tonia toninha tonica
  antonio toninho tonho toni totonho nico tonico tuca antoine
  aparecida cida cidinha cidoca
  arnaldo naldo nado
  arthur tuca tutu art artie
  augusto guto gugu
  aurelio lelo
  barbara babi barb barbie babs
  bartolomeu barto bartolo meu
  beatriz bia bea bibi trix biazinha
  beatrice bea trixie
  benedita bene dita ditinha
  benedito bene dito ditinho didito
  benjamin benja ben benny bibi
  bernardo be nando bernie nado
  bernadete dete berna
  bernard bernie
  bruna bru bruninha
  bruno bru
  caetano tano
  camila mila cami milinha camilinha
  camilo milo
  carlos carlinhos carlao caca cacau carlito charlie kaka
  carlota lota
  carmem carminha
  carmen carmencita menchu carmelita carminha
  carolina carol lina nina caro
  caroline carol line carrie caro
  catarina cata cat nina catita
  catherine cathy kate katie kitty cath
  cecilia ceci cila cica ciss
  celia celinha
  celso celsinho
  christian chris
  christina chris tina chrissy
  christine chris tina
  cicero cicinho cissim
  clarice clari lara
  claudia cau claudinha dinha
  claudio cau claudinho dinho
  cristiane cris tiane
  cristiano cris tiano
  cristina cris tina cristininha
  cristobal cris tobal tobalito
  dalva dalvinha
  daniel dani danny dan nico daninho
  daniela dani daninha nela
  daniele dani
  david davi dave davey
  debora deb debby dede
  deborah deb debbie
  denise de nise
  diego dieguinho diguinho
  dolores lola loli lolita dodo
  domingos mingo dominguinhos mingos
  donald don donnie
  dorothy dot dottie dolly dora
  edgar gah ed
  edilson dilson
  edivaldo didi vado
  edmundo mundo mundinho
  eduarda duda dudinha
  eduardo dudu edu duda dado eduardinho lalo eddie
  edward ed eddie ned ted teddy
  eleanor ellie nell nora
  elaine lala nana
  eliana lili liana
  eliane lili liane
  elisabete bete beth betinha lisa
  elizabeth liz betty beth lisa eliza libby bess liza betsy
  emilia mila emi
  emanuel manu mano
  emanuela manu manuela
  emily em emmy
  enrique quique kike
  ernesto neto nesto erni
  esperanza espe
  estela teteia stelinha
  eugenia gena geninha genia
  eugenio geninho gege
  evangelina eva lina vange
  ezequiel zeque quel
  fabiana fabi bibi
  fabiano fabi bibo
  fabio fabinho bibo
  fatima fafa fatinha
  felipe lipe felipinho fefe lipinho pipe
  fernanda nanda fe fefe nandinha fer
  fernando nando fe fefe nandinho fer nano
  filomena filo mena
  flavia flavinha fla
  flavio flavinho fla
  florencia flor
  florence flo flossie
  frances fran frannie
  francis frank fran
  francisca chica fran chiquinha chiquita paca paquita
  francisco chico paco pancho kiko chiquinho chicao fran franz xico cisco curro
  franklin frank
  frederico fred fredinho lico dico
  frederick fred freddy freddie rick
  gabriel gabi biel gab gabe
  gabriela gabi bibi gaby
  genivaldo vado geninho
  geraldo ge dinho gera geraldinho lalado
  gerald gerry jerry
  gertrudes tude gege trude
  gilberto gil beto giba gilbertinho
  gilmar gil
  giovana gi gio
  giovani gi gio vani
  gisele gi gigi
  gonzalo gonza chalo
  graca gracinha
  gregorio greg gorinho goyo
  guadalupe lupe lupita
  guilherme gui guiga guile guizinho
  guillermo memo guille
  gustavo guga gu gustavinho tavo
  harold harry hal
  heitor heitorzinho tor
  helena lena leninha nena
  heloisa helo lo
  henrique rique quique ick riquinho kike
  henry hank harry hal
  herbert herb bert
  humberto beto humbertinho
  ignacio nacho
  inacio naco
  ines inezinha
  iracema ira cema
  isabel bel isa isabelinha bebel belinha chabela
  isabela isa bela bebela belinha
  isadora isa dora
  israel rael
  jacqueline jacky jackie line
  james jim jimmy jamie jem
  janaina jana naina
  jane janie
  jaqueline jaque quel
  jefferson jeff jefinho
  jeffrey jeff
  jennifer jenny jen jenn
  jeronimo jero momo
  jessica jess jessie
  jesus chuy chucho suso
  joana jo joaninha
  joao jao joaozinho joca janjao janjo
  joaquim quim quinzinho quinca joca
  joaquin quino quim
  jonathan jon jonny
  jorge jorginho jojo george coque
  jose ze pepe zeca zezinho zezito zequinha juca zeze cheo chepe joselito
  josefa zefa zefinha pepa pepita
  josefina fina josy pepita zefina
  joseph joe joey jo
  josias jojo
  joshua josh
  juliana ju juli jujuba
  juliano ju juli
  julia ju juju julinha
  julio ju juca julinho julito
  juvenal juve nal
  kathleen kathy kate katie
  kimberly kim
  larissa lari lala
  laura laurinha lala laurita
  lawrence larry laurie
  leandro le leo leandrinho
  leonardo leo nado leozinho leonardinho
  leticia le leti tita lele ticia
  lilian lili lica
  lorenzo loren
  lourdes lurdinha lu lourdinha
  lourenco louro loro
  luana lu lulu
  lucas luca lu luquinhas
  lucia lu lulu lucinha
  luciana lu lulu luci
  luciano lu ciano lucianinho
  ludmila mila lud lu
  luis lula luizinho luisinho lulu lucho
  luiz lula luizinho lulu luizao
  luiza lu lulu luizinha
  luzia luzinha lu
  magdalena magda lena maggie malena
  manoel mane maneco manuel manolo manu maneu nelo
  manuela manu nela
  marcela marcelinha celinha ma
  marcelo celo marcelinho celinho ma
  marcia marcinha
  marcio marcinho
  marcos marquinhos marcao marquito
  margarida guida margo maga
  margaret peggy maggie meg madge marge margie daisy
  margarita marga rita margo
  maria mariazinha mariinha mary mari maricota cotinha mariquinha
  mariana mari nana marianinha
  marina mari nina
  mario marinho
  marisa isa mari
  marlene lene
  marta martinha
  martha marty patty
  martin marty tincho
  mateus teteu mateusinho teu
  matthew matt matty
  mauricio mau mauricinho cio
  mercedes meche merche
  michael mike mick mickey mikey misha mikhail
  miguel miguelito migue guel guelinho
  milton miltinho
  moacir moa ciro
  monica moni nica mo
  nathalia nat nati naty
  natalia nat nati naty lia
  nelson nelsinho
  nicholas nick nicky nico
  nicolas nico nick
  norberto beto nor
  octavio tavinho tavo
  osvaldo vado valdo vava
  oswaldo vado valdo
  otavio tavinho tavo otavinho
  pamela pam pammy
  patricia pati paty tricia pat patty patsy trisha ticia
  patrick pat paddy rick
  paula paulinha
  paulo paulinho paulao
  pedro pedrinho pepe pedroca pedrao perico
  peter pete
  penelope penny
  philip phil pip
  priscila pri prica cila
  priscilla cilla prissy
  rafael rafa rafinha fael
  rafaela rafa rafinha fael
  raimunda mundinha munda
  raimundo mundo mundinho mundico dico
  ramon moncho
  raquel quel quelzinha
  raymond ray
  rebeca beca bequinha
  rebecca becky becca
  regina re gina
  reginaldo naldo regi
  renata re renatinha nata
  renato re renatinho nato tato
  ricardo rick cado ricardinho riquinho cacado richi
  richard dick rick ricky rich richie
  rita ritinha
  robert bob bobby rob robbie bert
  roberta beta robertinha
  roberto beto robertinho betinho bebeto berto
  rodolfo dodo rodo fofo
  rodrigo digo diguinho ro rodriguinho
  rogerio ro rogerinho gerio
  ronald ron ronnie
  ronaldo naldo roni ronaldinho naldinho
  rosa rosinha rosita
  rosana ro rosaninha
  rosangela ro rosinha
  rosario charo
  samantha sam sammy
  samuel samuca sam sammy samuquinha
  sandra sandrinha
  santiago santi chago
  sarah sally sadie
  sebastiao tiao tiaozinho bastiao bastiaozinho
  sebastiana tiana bastiana
  sergio serginho
  severino biu bio severo
  silvana sil vana
  silvia sil silvinha
  silvio sil silvinho
  simone si moninha
  soledad sole
  sonia soninha
  stephen steve stevie
  steven steve stevie
  susan sue susie suzy
  susana su susi sana
  suzana su suzi sana
  tatiana tati tata tatinha
  tatiane tati tata
  teodoro teo doro
  teresa tete teresinha tere terezinha
  theodore ted teddy theo
  theresa terry tess tessa
  thiago thi ti tigas
  thomas tom tommy thom
  tiago ti tiaguinho
  timothy tim timmy
  tomas tom tomasinho
  ubirajara bira birinha
  ubiratan bira
  valdemar vado dema valdemarzinho
  valdomiro miro
  valentina vale tina
  valeria val vale lerinha
  valter valtinho
  vanderlei vando vandinho
  vanessa van nessa nessinha vane
  vera verinha
  veronica vero nica
  vicente vicentinho chente tininho
  victor vic vitinho vitao
  victoria vicky vic tori
  vinicius vini nicius vinizinho
  virginia gina ginny
  vitor vitinho vi vitao
  vitoria vivi vi viki toia
  viviane vivi
  wagner waguinho
  walter walt wally waltinho
  waldemar dema
  wanderley wando
  washington uoshito tom
  wellington well
  wilson wil wilsinho
  william bill billy will willy liam
  yolanda yoli
  zachary zach zack`;

function groupsOf(text: string): ReadonlyMap<string, readonly number[]> {
  const members = new Map<string, number[]>();
  text
    .trim()
    .split('\n')
    .forEach((line, group) => {
      for (const word of words(line)) members.set(word, [...(members.get(word) ?? []), group]);
    });
  return members;
}

/**
 * Frequent names that are distinct, however few letters differ: Fernando and Fernanda, Alberto and Roberto, Moreira and
 * Pereira are not typos of each other. Only one spelling of a name is here, unless the spellings sound alike or share a
 * group above.
 */
export const ownNames = setOf(`
  maria mario marta mara marcia marcio marcelo marcela mariana mariano marina marino marlene marluce
  marilene marilda marisa marcos marilia miriam mirela milena jose josefa josiane joao joana joaquim
  joaquina jonas jonatas antonio antonia ana anita anderson andre andrea adriano adriana adriane adelia
  adilson airton alana alan alberto alberta albertina alex alexandra alessandra alice aline alfredo amanda
  amelia angela angelo angelica aparecida aparecido ariana ariane arnaldo arthur augusto augusta aurea
  aurora barbara beatriz benedito benedita bernardo bernarda bianca bruno bruna caio camila camilo carina
  carla carlos carmem carolina caroline cassia cassio catarina cecilia celia celio celso cesar cicero
  cicera claudio claudia claudete cleber clara clarice cleide cleusa cristina cristiano cristiana cristiane
  dalva daniel daniela daniele danilo davi debora denis denise diego diogo dirce diana douglas edgar edite
  edilson edison eduardo eduarda elaine eliana eliane elias elisa elisangela elza elton emerson emilia
  emilio enzo erica erico ester estela eunice evandro eva fabiana fabiane fabiano fabio fabiola fatima
  felipe fernando fernanda flavio flavia francisco francisca franciele frederico gabriel gabriela geraldo
  geralda gerson gilberto gilmar gilson gilvan giovani giovana gisele gislaine gloria graziela guilherme
  gustavo heitor helena helio heloisa henrique humberto hugo ilda ines ingrid irene irma isabel isabela
  isadora isaura ivan ivana ivone ivo jacira jaime jair jairo janaina jandira janete jaqueline jeferson
  jessica jorge josue joice juarez juliana juliano julio julia julieta karen karina katia kelly laercio
  lais lara larissa laura leandro leandra leila leonardo leonor leticia lidia lilian liliana livia lorena
  lourdes luan luana lucas lucia luciana luciano lucio luciene lucilene luis luiza luzia magda maicon
  manoel manuela marlon mateus matilde mauricio mauro maura mayara melissa michele miguel moacir moises
  monica murilo nadia nair natalia neide nelson neusa nilton nilson nilda nivaldo noemi odete olga olivia
  orlando osvaldo oscar otavio pamela patricia paulo paula paulina pedro priscila rafael rafaela raimundo
  raimunda ramon raquel raul rebeca regina regiane reinaldo renan renata renato ricardo rita roberto
  roberta robson rodrigo rogerio romulo ronaldo rosa rosana rosane rosangela rosemeire rosilene ruan rubens
  rute sabrina salete samara samuel sandra sandro sara sebastiao sebastiana selma sergio severino severina
  silvana silvano silvia silvio simone sofia solange sonia sueli suelen suzana tadeu tais talita tamires
  tania tatiana tatiane teresa tereza thiago tomas ubirajara valdir valdemar valeria valter vanda vanderlei
  vanessa vania vera veronica vicente vilma vilson vinicius virginia vitor vitoria viviane wagner waldir
  walmir wesley wellington washington william wilson yara yasmin yuri zelia zilda zuleide silva silveira
  silvestre santos santana santiago sousa oliveira pereira moreira ferreira ferraz carreira teixeira
  siqueira vieira oliva lima limeira costa rocha castro carvalho almeida alves alvim gomes gomide martins
  martinez ribeiro barbosa barros barroso barreto barreiros araujo nunes mendes mendonca menezes melo
  freitas cardoso ramos reis dias duarte nascimento andrade machado marques maciel monteiro moura morais
  correia campos cunha farias azevedo medeiros fonseca tavares coelho guimaraes peixoto bezerra rezende
  macedo queiroz xavier amaral leite leitao figueiredo nogueira assis vasconcelos bastos camargo prado
  toledo sampaio aguiar pacheco magalhaes furtado paiva brandao brito brandt carneiro dantas lopes soares
  fernandes rodrigues goncalves batista miranda borges pires pinto pinheiro cavalcanti cabral braga bueno
  caldas chaves dutra esteves evangelista feitosa franco galvao garcia gouveia lacerda leal lemos lira lobo
  luz maia matos mota muniz neves novaes pessoa portela porto rosario sales saraiva serra simoes souto
  teles torres trindade valente vargas veloso viana vidal zanetti hassan hussein ahmad ali khalid khalil
  walid majid mahmud muhammad mustafa murtada karim rahim rahman salim salman sulayman sami samir tariq
  tahir umar amin amir amira nasir nabil nadir rashid jamal kamal bilal hilal faisal faris farid fahd habib
  hamid hamdan hakim hashim yusuf yasin yasir ismail ibrahim idris imran ihsan abdul abdullah abdulaziz
  abdulrahman abdulkarim abdulhamid saleh said bashir munir mansur masud zayd aziz azim ivanov petrov pavel
  pavlov artur boris dmitry igor ilya kirill maksim oleg roman ruslan timur vadim valentin vasily vitaly
  vladimir vladislav volkov kozlov orlov popov novikov sokolov smirnov kuznetsov kuzmin karpov makarov
  morozov romanov wang wei li liu lei ling lin liang min ming mei ping peng ting tang tan fang feng fan han
  huang hong hua hui jian jing jin jiang jun chen cheng zhang zheng zhao zhou zhu xu sun song shen yang yan
  yong jong yun chol chul choe kim kang kwon nam john jane jean james jack jason williams thompson donald
  harold george brown browning smith johnson jackson jones martin martina morgan morris morrison margaret
  nicole patrick philip stephen stephanie susan harris harrison henry watson walter walker miller mitchell
  moore clark campbell evans emma linda lauren juan juana jesus javier perez ramirez rodriguez sanchez
  gonzalez gomez gutierrez hernandez fernandez lopez alvarez alvarado alejandra diaz dominguez flores
  fuentes moreno molina munoz romero rojas ruiz rios vazquez velasquez velasco
  andrews armstrong arnold atkinson austin bailey baker baldwin barker barnes barrett bates becker bennett
  berger bishop black blake boyd bradley brandon brennan brooks bryant burke burns burton butler byrne
  caldwell cameron carlson carpenter carr carroll carter chandler chapman cohen coleman collins cooper craig
  crawford cross cunningham dalton davidson davis dawson dean dixon doyle duncan dunn edwards elliott ellis
  fisher fleming fletcher ford foster fowler franklin fraser freeman fuller gardner gibson gilbert gordon
  graham grant graves greene griffin hall hamilton hansen harding hardy harper hart harvey hawkins hayes
  henderson hicks hill hoffman holland holmes hopkins horton howard hudson hughes hunt hunter jacobs jenkins
  jennings jensen jordan keller kelley kennedy kent king klein knight lambert lane larson lawson lewis lloyd
  logan long lynch marsh marshall mason maxwell may mccarthy mcdonald meyer mills morton murphy murray myers
  nash newman newton nichols norris norton oconnor oliver olsen owens page palmer parker parsons patterson
  payne perkins perry porter potter powell price quinn ramsey reed reynolds rhodes richards roberts
  robertson robinson rogers rose ross rowe russell sanders schmidt schneider schultz scott sharp shaw
  shelton silver simmons simpson spencer stanley stevens stewart stone sullivan summers sutton sweeney
  swanson taylor terry todd tucker turner tyler underwood vaughn wade walsh walters ward warner warren
  washburn weaver webb weber webster welch wells west wheeler white wilkins wilkinson willis winters wolfe
  wood woods wright yates young karl kurt hans heinz fritz franz otto jurgen klaus dieter werner helmut
  gunter uwe horst brigitte monika sabine ursula renate claude pierre jacques michel marcel henri alain
  bernard didier gerard thierry yves isabelle sylvie monique francois rossi russo ferrari bianchi romano
  colombo ricci greco conti esposito gallo mancini costantini moretti barbieri fontana mariani rinaldi
  caruso ferrara galli martini leone longo gentile vitale lombardi coppola parisi villa marchetti yilmaz
  kaya demir sahin celik yildiz yildirim ozturk aydin arslan dogan kilic aslan cetin kara koc ozdemir polat
  kumar singh sharma gupta patel shah mehta reddy rao iyer joshi mishra pandey verma yadav chauhan malik
  chaudhry akhtar iqbal javed nawaz aslam ashraf rafiq siddiqui qureshi butt mirza baig saleem waqar haroon
  ayub garza castillo cruz reyes morales ortega delgado guerrero medina aguilar vega cabrera salazar guzman
  herrera soto contreras luna avila figueroa cortes maldonado navarro rivera acosta mejia cardenas espinoza
  sandoval valencia zamora valdez cisneros rosales galvan orozco ibarra trujillo escobar castaneda ochoa
  padilla barrera zavala arias ivanova petrova pavlova kozlova orlova popova novikova sokolova smirnova
  kuznetsova morozova romanova volkova fedorov fedorova nikitin nikolaev egorov lebedev semenov vinogradov
  bogdanov belov antonov tarasov zhukov komarov kiselev ilin gusev titov maksimov polyakov sorokin vinokurov
  kulikov alekseev yakovlev gavrilov grigoriev stepanov andreev medvedev baranov filippov davydov zaitsev
  salem sabah sabri jaber jabbar jamil jalal jawad kadhim karima laith latif mazen munther nabila nadim naji
  najib nizar qais raad ramzi rida riyad saad sabir sadiq safa saif shakir sharif suhail taha talal tamim
  turki wael wahid yahya younis zaki zakaria ziad zuhair abbas adel adnan akram alaa anas anwar asad ayman
  badr basim dawood fadel fadi fawzi fouad ghassan haitham hatem hazem hisham husam ihab iyad june joan
  joanna robert norbert hubert herbert`);

/** The groups of equal spellings that a word belongs to. */
export const spellings = groupsOf(spellingGroups + rareSpellingGroups);
/** The groups of pet names that a word belongs to. */
export const nicknames = groupsOf(nicknameGroups);

/** Other spellings in the groups of a word, to find candidates. */
export const otherSpellings: ReadonlyMap<string, readonly string[]> = others(
  spellingGroups + rareSpellingGroups,
  nicknameGroups,
);

/** Names that about one in several hundred people of their region has. */
export const frequentNames: ReadonlySet<string> = new Set([
  ...ownNames,
  ...words(spellingGroups),
  ...words(nicknameGroups),
]);

function others(...texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const othersByWord = new Map<string, Set<string>>();
  for (const line of texts.flatMap((text) => text.trim().split('\n'))) {
    const group = words(line);
    for (const word of group) {
      const otherForms = othersByWord.get(word) ?? new Set();
      for (const other of group) if (other !== word) otherForms.add(other);
      othersByWord.set(word, otherForms);
    }
  }
  return new Map([...othersByWord].map(([word, known]) => [word, [...known]]));
}

/** Abbreviations usual in registers, written out. */
export const abbreviations: ReadonlyMap<string, string> = new Map([
  ['fco', 'francisco'],
  ['fca', 'francisca'],
  ['ap', 'aparecida'],
  ['apda', 'aparecida'],
  ['apdo', 'aparecido'],
  ['conc', 'conceicao'],
  ['gonc', 'goncalves'],
  ['seb', 'sebastiao'],
  ['jq', 'joaquim'],
  ['ant', 'antonio'],
  ['rdo', 'raimundo'],
  ['rda', 'raimunda'],
  ['benedo', 'benedito'],
  ['oliv', 'oliveira'],
  ['rodr', 'rodrigues'],
  ['sto', 'santo'],
  ['sta', 'santa'],
  ['md', 'muhammad'],
  ['wm', 'william'],
  ['chas', 'charles'],
  ['geo', 'george'],
]);

/**
 * Tokens that very many people of a region have in their names. They weigh less, whatever list is searched: a score
 * must not depend on the other entries of a list.
 */
export const commonTokens = setOf(`
  silva santos oliveira souza sousa pereira lima ferreira costa rodrigues almeida nascimento alves carvalho gomes martins
  araujo ribeiro barbosa rocha dias moreira nunes mendes vieira cardoso teixeira cavalcante cavalcanti campos fernandes
  maria jose antonio joao francisco ana carlos paulo pedro lucas luiz luis marcos aparecida conceicao
  garcia gonzalez rodriguez fernandez lopez martinez sanchez perez gomez martin hernandez juan jesus
  muhammad mohammed mohamed mohammad ahmad ahmed ali hassan hussein abdul abdullah khan ibrahim abu
  kim lee park ri choe pak wang li zhang liu chen yang huang zhao wu zhou nguyen tran
  ivanov smirnov petrov aleksandr sergey vladimir ivanovich aleksandrovich
  john james david michael robert william smith johnson williams brown jones`);
