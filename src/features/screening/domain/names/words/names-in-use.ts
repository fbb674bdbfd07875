import { ownNames } from './vocabulary.js';

/**
 * First names and family names in use in Brazil, Portugal, Spain, Latin America and English-speaking countries, beside
 * the frequent ones of `vocabulary.ts`. Everything here is lower-case ASCII. Names of languages whose transliteration
 * varies are left out: one letter is no other name there. Two spellings of one name share their sound, or a group of
 * spellings.
 */

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** First names; also those of `ownNames` that are first names, as nicknames are made of first names. */
export const givenNames = setOf(`
  abel abigail abilio abraao acacio adail adailton adalberto adalgisa adalto adamastor adao adauto adelaide adelina
  adelino adelmo ademar ademilson ademir adenilson adenilton aderbal aderlan adevaldo adina adolfo adonias adonis adriana
  adriane adriano adriel adrielle afonso afranio agata agenor agnaldo agnes agostinho aida ailton aladim alaide alan alana
  alba albano alberico alberta alberto albino alcides alcione alcir alcino aldair aldemir aldenir aldo aleandro alessandra
  alessandro alex alexandra alexandre alfredo alicia alice aline alipio alison allana almerinda almir aloisio altair altamir
  altino alvaro alzira amabile amadeu amalia amanda amaro amarildo amauri amelia americo ana anabela anacleto analice anderson
  andre andrea andreia andressa andreza anelise angela angelica angelina angelino angelo anibal anisio anita antenor anselmo
  antero antonia antonieta antonino antonio aparecida aparecido apolinario apolonia araci arcanjo argemiro ariadne ariana
  ariane ariel arielle aristeu aristides arlete arlindo armanda armando armindo arnaldo aroldo arthur artur ary assuncao
  augusta augusto aurea aurelia aureliano aurelio aurora avelina avelino ayrton azenir balbina baltazar barbara bartolomeu
  basilio beatriz belarmino belchior belisa belmiro benedita benedito benicio benjamin bento berenice bernadete bernarda
  bernardino bernardo berta bianca bonifacio branca breno brenda brigida bruna bruno caetana caetano caio calebe camila camilo
  candida candido carina carla carlos carlota carmela carmelita carmelo carmem carmen carmina carolina caroline casemiro
  cassandra cassia cassiano cassilda cassio catarina caua cecilia celestina celestino celia celina celio celma celso cesar
  cesario charles charlene cibele cicera cicero cintia cirilo ciro clara clarice clarinda clarindo clarissa claudemir
  claudete claudia claudinei claudineia claudio claudionor cleber cleia cleide cleidson clelia clemente clementina cleonice
  cleosvaldo cleusa clodoaldo clotilde clovis conceicao concetta conrado constancia constantino cora cordelia corina cosme
  cremilda crispim cristian cristiana cristiane cristiano cristina cristovao custodia custodio dagmar dagoberto daiana daiane
  daisy dalila dalmo dalton dalva damaris damiana damiao daniel daniela daniele danilo danubia dara darci dario darlan darlene
  davi david debora decio deise deivid delcio delfina delfim delmira delmiro delza demetrio denilson denis denise deodato
  deolinda derli desire desiree deusdete dener diana diego dilma dilson dimas dina dinah dinalva dinis dinora diogenes diogo
  dionisia dionisio diomar dirce dirceu divino djalma djair djanira dolores domingas domingos donato dora doralice doriana
  dorival doroteia douglas durval dulce dulcineia eder ederson edgar edgard edilaine edileusa edilson edimar edina edinaldo
  edir edison edite edivaldo edivania edmar edmea edmilson edmundo edna ednaldo edneia edson eduarda eduardo edvaldo edvan
  efigenia eglantina egidio eladio elaine elair elcio elda elenice elena eleonora eleuterio elia eliana eliane elias eliel
  elielson eliete elinaldo elio elis elisa elisabete elisangela elisete eliseu elizabeth elizete elma eloa eloi eloisa elsa
  elton elvio elvira elvis elza emanuel emanuela emanuele emerson emilia emiliano emilio eneas eneida enilda enio enoque
  enzo epifanio erasmo erica erico erika erick erivaldo erivelton ernani ernesta ernestina ernesto esdras esmeralda esmeraldo
  estela estefania estefany ester estevao eudes eugenia eugenio eulalia eulalio eunice euzebio eva evaldo evandro evangelina
  evaristo evelin evelina everaldo everton ezequiel fabia fabiana fabiane fabiano fabio fabiola fabricia fabricio fatima fausta
  faustina faustino fausto felicia felicio felicidade felipa felipe felisberto felix fermina fernanda fernando fidelis filipa
  filomena fiorella firmina firmino flavia flaviana flaviane flaviano flavio flora florencia florencio floriano florinda
  florindo floriza francielle francineide francinete franciny francisca francisco franklin frederica frederico gabriel
  gabriela gabriele gaspar geisa geisiane geiza gemma genaro generosa genesio genilda genilson genival genivaldo genoveva
  georgina geovana geraldina geraldo geralda germana germano gerson gertrudes gervasio getulio gilberta gilberto gilcimar
  gilda gildo gildete gilmar gilmara gilsa gilson gilvan gilvania gina giovana giovane giovanna gisela gisele gislaine giulia
  gladis glaucia glauber glauco gleice gleicy gleidson gloria godofredo graca gracas gracinda graziela graziele gregorio
  greice guida guilherme guilhermina guiomar gumercindo gustava gustavo haidee harley haroldo heitor helba helder helen helena
  helenice helga heliana helio heloisa henrieta henrique henriqueta heraldo herberto herculano hercilia heriberto hermelinda
  hermes herminia herminio hermogenes heron higor hilario hilda hildebrando hilton honorio horacia horacio hortencia hudson
  hugo humberto iago iara iasmin iberia ida idalia idalina idalino idelfonso ieda igor ilca ilda ildefonso ilma ilza imaculada
  imelda inacia inacio indiara indira ines inez ingrid inocencia inocencio iolanda iolinda ione iracema iraci irani irene
  irineia irineu iris irma isaac isabel isabela isabele isadora isaias isaque isaura isaurina isidoro isidro ismael ismenia
  israel itamar iva ivan ivana ivanete ivani ivanilda ivanildo ivete ivo ivone ivonete izabel izaias izaura jacinta jacinto
  jackeline jackson jacira jacob jacqueline jacy jaderson jadir jaime jailson jailton jainara jair jairo jalmir jamile
  janaina jandira jane janete janice janine jaqueline jardel jardim jeane jeferson jefferson jenifer jeni jeremias jerica
  jeronimo jersey jerusa jessica joana joanita joao joaquim joaquina jocelia jocelino jocelma jocilene joel joelma joelson
  joice joilson jomar jonas jonatas jonathan jordana jordania jorge jorgina josafa josana jose josefa josefina joselia joselina
  joselito josemar josenilda josenildo josiane josiel josilda josilene josimar josineide josivaldo josue jovelina joyce
  juarez jucelia jucelino judas judite julia juliana juliane juliano julieta julinda julio julita junia jupira juraci jurandir
  juscelino jussara justina justino juvenal juvencio kaique kamila karen karina karine karla karolina karoline kassia katia
  katiane keila kelen kelly kelvin kenia kevin ladislau lais laisa lara larissa laudelina laudelino laudiceia laura laurencio
  laureano laurinda laurindo lauro lazara lazaro lea leandra leandro leci leda leia leidiane leila leni lenice lenilda leoncio
  leonel leonice leonida leonidas leonilda leonildo leonina leonor leonora leopoldina leopoldo leticia levi lia liana liane
  licia lidia lidiane lidio ligia lilia lilian liliana liliane lina lincoln lindalva lindaura lindomar lineu lino lisandra
  lisandro lisiane livia loide lorena lorenzo loreta lorival lourdes lourenca lourenco lourival luan luana luara luca lucas
  luceli lucelia lucena lucia luciana luciane luciano lucicleide lucidalva luciene lucila lucilene lucilia lucimar lucimara
  lucineia lucineide lucinda lucio lucrecia ludmila ludovico luis luisa luiz luiza lurdes luzia luzinete magali magda magdala
  magna magno maiara maicon maira maisa malvina manoel manoela mansueto manuel manuela mara marcela marcelina marcelino
  marcelo marcia marciano marcio marco marcondes marcos margarete margarida margot mariana mariane mariano maria maricelia
  maricelma mariel marieta marilda marilena marilene marileide marilia marilucia marilza marina marinalda marinalva marinete
  marines marinho marino mario mariza marisa marisete maristela marita mariucha marivaldo marla marlene marli marlon marlucia
  marlucio marluce marta martim martina martinho mateus matilda matilde matias maura mauricio maurilia maurilio mauro maximiano
  maximiliano maximino maximo mayara maysa melina melinda melissa mercedes mercia messias micaela micaele micaeli michel
  michele miguel milena milton mirabel miranda mirela mirelle miriam mirian mirna mirtes moacir moacyr modesto moema
  moises monalisa monica moniza murilo nadia nadir nadja naiara naiane naila nair nancy naomi napoleao narciso natacha natal
  natalia natalicio natalina natalino natan natanael nathalia nazare nazareno neide neilton neiva nelci nelio nelma nelson
  nemesio nereu nerina nestor neusa nicanor nicolas nicolau nicole nicoly nilceia nilda nildo nilma nilo nilsa nilson
  nilton nilza nina nivaldo nivia noe noeli noelia noemi noemia nogueira nonata nonato norberto norma norival nubia nuno
  octacilio octavio odair odete odila odilia odilon odorico ofelia olavo olegario olga olimpia olimpio olinda olindo olivia
  olimpia onofre ondina onesimo oneida orestes oriana orlanda orlando orminda oscar oscarina osmar osmarina osni osorio
  osvaldina osvaldo oswaldo otacilia otacilio otavia otavio otilia otoniel ozeas pablo palmira paloma pamela paola pascoal
  patricia patricio patrick paula paulina paulino paulo pedrina pedro penelope perla petra petronio petrucio pietra pietro
  pompeu poliana policarpo porfirio prisca priscila priscilla prudencia querubina quezia quirino quiteria rafael rafaela
  raian raiane raianne raimunda raimundo raissa ramiro ramon ramona randerson raquel raul rayssa rebeca regiane regina reginaldo
  regis reinaldo rejane renan renata renato renilda renilson renivaldo ricarda ricardo richard rita rivaldo robert roberta
  roberto robson rodolfo rodrigo rogeria rogerio roger rolando romana romeu romario romerito romilda romildo romualdo romulo
  ronald ronaldo ronei ronilson ronivaldo roque rosa rosalba rosalia rosalina rosalinda rosalvo rosana rosane rosangela rosani
  rosaria rosario rosaura rose roseli rosemary rosemeire rosenilda rosete rosicleia rosilda rosilene rosimar rosimere rosina
  rosineide rosita rossana ruan rubem rubens rubia rudnei rufina rufino rui rute ruth sabina sabino sabrina salatiel salete
  salomao salome salustiano salvador salvina samanta samara samira samuel sandra sandro sansao santana santiago santina santino
  sara saulo savio sebastiana sebastiao selena selene selma senhorinha serafim serafina sergio servulo severiana severiano
  severina severino shirley sibele sidnei sidneia sidnei sidonia sila silas silene silmara silvana silvania silvano silverio
  silvestre silvia silviane silvina silvino silvio simao simeao simone simplicio sinval sirlei sirlene sofia solange soledade
  sonia soraia stela stella stefani stefano suelem sueli suely susana suzana suzane sulamita sulivan tabata taciana tadeu
  taina tainara tais talita tamara tamires tania tarcila tarcisio tarcila tarsila tatiana tatiane telma tenorio teobaldo
  teodora teodoro teofilo terezinha teresa teresinha tercio thais thales thiago tiago tibercio tiberio timoteo tobias tomas
  tomasia tome toni topazio tulio ubaldo ubirajara ubiratan uelinton ugo ulisses umbelina urbano uriel ursula valcir valdeci
  valdecir valdelice valdemar valdemir valdenice valdenir valderes valdete valdinei valdineia valdir valdirene valdivia
  valdivino valdo valdomiro valente valentim valentina valeria valeriana valeriano valerio valmir valmira valquiria valter
  vanda vanderlei vanderleia vanderson vandercleia vanessa vania vanildo vanilda vanusa vasco velma venancio vera verbena
  verena veridiana verissimo veronica vicencia vicente vicentina victor victoria vilma vilmar vilson vinicius violeta virgilio
  virginia viridiana vital vitalina vitalino vitor vitoria vitorino vivaldo vivian viviane vladimir volnei wagner waldemar
  waldir wallace walmir walter wanda wanderlei wanderson washington wellington welton wendel wesley wilian wilma wilmar wilson
  wilton xavier ximena yago yara yasmin yolanda yuri zacarias zaira zelia zelinda zeneide zenaide zenilda zenildo zenon zeferina
  zeferino zilda zilma zita zoraide zuleica zuleide zulmira
  aaron adam adrian alan albert alexis alfred alice alicia alison amber amy andrea andrew angela angie ann anna anne annie
  anthony april arlene arnold arthur ashley aubrey austin barbara barry beatrice becky benjamin bernard bernice bert bertha
  bessie beth bethany betsy beverly blake bob bonnie brad bradley brandon brandy brenda brent brett brian bridget brittany
  bruce bryan byron caleb calvin carla carlton carmen carole caroline carrie casey catherine cathy cecil celeste chad charlotte
  chelsea cheryl chester christian christina christine cindy claire clara clarence claude clayton clifford clifton clinton
  clyde cody colleen connie constance corey courtney craig crystal curtis cynthia daisy dale dana darlene darrell darren
  daryl dawn dean deanna debbie deborah debra dennis derek derrick diana diane dolores dominic donna dora doris dorothy doug
  duane dustin dwayne dwight earl edgar edith edna eduardo edwin eileen elaine eleanor ellen elmer elsie emily emma eric erica
  erik erin ernest esther ethan ethel eugene eva evan evelyn faith faye felix florence floyd frances francis frank gail gary
  gene geoffrey georgia gerald geraldine gerard gilbert gina gladys glen glenda gloria grace greg gwendolyn hannah harold
  harriet harry harvey hattie hazel heather heidi helen herman hilda holly howard hugh ian ida inez irene iris isaac ivan
  jackie jacob jacqueline jaime jake jamie jan jane janet janice jared jasmine jason jay jean jeanette jeanne jeff jeffrey
  jenna jeremiah jeremy jerome jesse jill joan joann joanna joanne jodi joel johanna jon jonathan jordan joshua joy joyce
  judith judy julia julian julie june justin karen karl karla kate katherine kathleen kathryn katrina kay kayla keith kelly
  kelvin kendra kevin kim kirk kristen kristin kristina kurt kyle lance larry laura lauren laurie lawrence leah lee leo leon
  leroy leslie lester lillian linda lisa lloyd lois lora loretta lori lorraine louis louise lucas lucille lucy luke lydia lynn
  mabel mandy marc marcia marcus margaret margie maria marian marie marilyn marion marjorie mark marlene marsha marshall martha
  martin marvin mary mathew maureen maurice max maxine megan melanie melinda melissa melvin mercedes mildred milton mindy
  minnie miriam misty mitchell molly monica morris myra myrtle nancy naomi natalie nathan neil nellie nelson nina noah nora
  norma norman olga opal oscar owen pamela pat patricia patsy paul paula pauline pearl peggy penny perry phyllis priscilla
  rachel ralph ramona randall randy ray raymond rebecca regina renee rhonda rita rodney roger roland ron rosa rosalie rose
  rosemarie ross roxanne roy ruby rudy russell ruth ryan sabrina sally samantha sandy sara sarah scott sean seth shane shannon
  sharon shaun sheila sheri sherri sherry shirley sidney simon spencer stacey stacy stella steven stuart susan sylvia tamara
  tammy tanya tara ted teresa terri theodore thelma theresa tiffany tina todd tonya tracey tracy travis trevor tricia troy
  tyler tyrone valerie vanessa vera verna vernon veronica vicki victor vincent viola violet virgil virginia vivian wade wallace
  warren wayne wendy wilbur willard willie wilma winifred yolanda yvette yvonne zachary
  adela adolfo adrian agustin aitor alba alejandro alma amparo araceli armando arturo asuncion aurelio azucena begona belen
  benita blanca braulio candelaria carmelo casilda cayetano ceferino cesar chantal clemente concepcion consuelo cristobal
  dolores edelmira edgardo efrain eladio elias elvira emilia encarnacion ernesto esteban eulogio eusebio fabian faustino
  federico felipe fermin florentino froilan gerardo german gilberto gonzalo graciela gregorio griselda guadalupe guillermina
  hector herminia hilario horacio humberto ignacia inmaculada isidoro jacinto jimena joaquin josefina julian laureano leandro
  leocadia leonor leopoldo lorenza lorenzo lucrecia luisa macarena magdalena marcelino margarita maribel marisol mariano
  martin matias mauricio maximino mercedes modesta montserrat nicolas noelia norberto octavio olegario oswaldo pascual paz
  pilar primitivo purificacion ramiro ramon raul remedios reynaldo ricardo rigoberto rocio rodolfo rodrigo rogelio rosario
  salvador santiago saturnino serafin silvestre simon socorro soledad susana tomas trinidad urbano ursula valentin
  vicenta victoriano virgilio yolanda`);

/** Family names. */
export const familyNames = setOf(`
  bondarenko boyko goncharenko ivanenko klimenko kovalenko kovalchuk kravchenko kravchuk lysenko marchenko melnyk moroz
  oliynyk panchenko pavlenko petrenko polishchuk ponomarenko rudenko savchenko savchuk shevchenko shevchuk shevtsov
  tkachenko tkachuk vasylenko zinchenko andreev andreyev belyaev bogdanov borisov chernov fomin gavrilov gerasimov golubev
  golovin kalinin kiselyov konovalov konstantinov kotov krylov kudryavtsev markov maslov melnikov mikhailov mironov nazarov
  nikiforov nikolaev osipov ovchinnikov panov rodionov rogov ryabov safonov savelyev semyonov sergeyev shcherbakov sidorov
  sitnikov solovyov stepanov titov tikhonov tsvetkov ushakov vinogradov vlasov voronin voronov vorobyov yegorov zakharov zhukov
  abrantes abreu acioli aguilar alcantara alencar alencastro alfaro alvarenga amado ambrosio amorim anjos antunes apolinario
  aquino aragao aranha arantes arcoverde arraes arruda assumpcao ataide avelar avila azambuja azeredo bacelar baesso balbino
  baldi balduino bandeira baptista baracho barata barbieri barboza barcellos barcelos barreira barreiro barrozo bartolomeu
  bastos beltrao benevides benites bento bernardes bernardi bernardino berto bessa betencourt bezerril bicalho bicudo
  bittencourt boaventura bocaiuva boechat bonfim bonifacio borba bordin boscolo botelho bottini brasil brasileiro bressan
  brites brizola bulhoes buarque cabrera cafe caixeta calado calazans caldeira calil calixto calmon camacho camara camelo
  caminha canedo canto capistrano cardim carioca carmo carmona carneiro carrara carrasco carrijo cartaxo carvalhal carvalhais
  casagrande casimiro cassiano castanheira castelo castello castilho castilhos cavalheiro caxias celestino cerqueira cesario
  chagas chaia chaim chiesa cintra clemente coimbra colares collares conceicao cordeiro cordova correa cortez coutinho
  couto crespo crispim crivelli custodio czerny dallagnol damaceno damasceno damaso damiao dantas delfino delgado delmondes
  demarchi diniz domingos domingues dorneles dornelas dourado drummond durao eduardo eller espindola espinola espirito esteves
  eugenio fagundes faleiro falcao faria farina faustino favaro feijo feitosa felicio felipe felix fermino fernandino ferrao
  ferraro ferrarezi ferreirinha fialho fidalgo filgueiras fiuza flor florencio floriano florindo fontana fontenele fontes
  fontoura fraga fragoso franca francisco frazao freire freitag frota funchal gadelha gaia galdino galindo gallo galvao gama
  gandra gaspar gentil germano gil giacomini godinho godoi godoy goes gouveia goulart graca gracia grando gregorio grilo guedes
  guerra guerreiro guidi guilherme gurgel gusmao gutierres henriques heredia heringer hilario holanda honorato hora horta
  inacio ireno isidoro jacinto jacques jardim jesuino jobim jorge josino jucai junqueira justino justo kaiser keller
  kirchner klein koch kuhn lacerda lage lago lamas lameira landim lara laranjeira laurentino laurindo leal leao ledo leme
  lessa lessandro levy lins lisboa lobao lobato loureiro lourenco loyola lucena luciano lustosa macena machado maciel madeira
  madeiro madureira mafra magno mainardi maldonado malheiros malta mamede manhaes mansur mantovani maranhao marcal marchesi
  marcolino marcondes mariano marinho marino marins marinelli maroto marroni martinelli martini martinho mascarenhas massa
  mateus mathias mattoso maues mauricio maximo mazza meira meireles mello mena mendanha mercado mesquita messias miguel milani
  milhomem miquelino misael moita monjardim montalvao monte montenegro montes moraes morato morgado moro mota moutinho moya
  muller murta nabuco naves negrao negreiros negri neri nery nobre nobrega noleto nonato nora noronha novais nunez ornelas
  ouriques pacheco padilha padua paes paim paixao palhares palma palmeira pamplona parente parreira parreiras pascoal passos
  patricio patrocinio paula paulino pavan pedreira pedrosa pedroso peixe pellegrini penha penido penteado penna perdigao
  peres perrone pessanha pestana piccoli pimenta pimentel pinho piva pizarro policarpo pontes porfirio portilho pozzebon prates
  prestes primo proenca prudente quadros quaresma quevedo quintanilha quintao quintino quirino rabelo ramalho rangel raposo
  rauber rebelo rebello reboucas regis rego ribas ribeirinho rigon rios rizzo robles roldao rolim romao romeiro rosado roza
  rufino ruas rubim rufino sabino salgado salles salomao salvador salviano sampaio sandoval sanchez santoro sardinha sarmento
  sartori sato savio schmitt seabra senna serafim serpa serrano setubal severo siebra silverio simao sobral soler sotero souza
  spindola spinola suassuna suarez tabosa taborda tancredo tartari taveira tavora tenorio terra thomaz tinoco tobias tolentino
  torquato tosta tourinho trajano trevisan trigo trindade tristao uchoa ulhoa urbano valadares valadao valadao valdez valenca
  valerio valverde vasques vaz veiga velasques veras vergara verissimo viegas vilela villela vilaca vilar vilarinho vilas
  villar virgilio viveiros wagner werneck wanderley xavier zago zambon zanella zanetti zanin zanon zardo
  abbott acevedo adams adkins aguirre albert alexander alford allen allison alston alvarado anderson anthony arroyo ashley
  atkins austin ayala ayers bailey ball ballard banks barber barker barlow barnett barrera barrett barron barry bartlett barton
  bass battle bauer baxter beach bean beard beasley beck bell benjamin benson bentley benton berg bernard berry best bird
  blackburn blackwell blair blake blanchard blankenship blevins bolton bond bonner booker boone booth bowen bowers bowman boyd
  boyer boyle brady branch bray brennan brewer bridges briggs britt brock browning bruce bryan buchanan buck buckley buckner
  bullock burch burgess burks burnett burns burris bush byers byrd cain callahan camacho camp campos cannon cantrell cantu
  cardenas carey carlson carney carson carver case casey cash castaneda cervantes chambers chan chang chase chavez cherry
  christensen church clark clayton clements cline cobb cochran coffey cohen cole collier combs compton conley conner conrad
  conway cook cooke cooley copeland cote cotton cowan cox craft craig crane crosby cross cummings cunningham curry curtis
  daniel daniels daugherty davenport david davidson day decker dejesus delacruz deleon delaney dennis dickerson dickson dillard
  dillon donaldson donovan dorsey dotson douglas downs doyle drake dudley duffy duke dunlap durham dyer eaton elliott emerson
  england english erickson espinoza estes estrada evans everett ewing farley farmer farrell faulkner ferguson fernandez ferrell
  fields figueroa finch finley fischer fitzgerald fitzpatrick flowers floyd flynn foley forbes foreman foster fowler fox francis
  franco frank frazier frederick french frost frye fry fuentes fulton gaines gallagher gallegos galloway gamble garner garrett
  garrison gates gay gentry george gilmore gill gillespie gilliam glass glenn glover golden good goodman goodwin gould graham
  grant greer gregory griffith grimes gross guerra guthrie guy hahn hale haley hammond hampton hancock haney hanson hardin
  hardy harmon harrell harrington hartman hatfield hayden haynes head heath hebert henry hensley henson herman herring hess
  hester hewitt hickman higgins hinton hobbs hodge hodges hogan holcomb holden holder holloway holman holt hood hooper hoover
  horn horne house houston howe howell hubbard huber huff huffman hull humphrey hurley hurst hutchinson hyde ingram irwin jackson
  jacobson james jarvis jefferson johns johnston joyce joseph justice kane kaufman keith kelly kemp kerr key kidd kinney kirby
  kirk kirkland kline knapp knowles knox kramer lamb lancaster landry lang langley larsen lawrence leach leblanc leon leonard
  lester levine levy lindsay lindsey little livingston long lott love lowe lowery lucas lynn lyons macdonald mack madden
  maddox mann manning marks marsh massey mathews mathis matthews maynard mays mcbride mccall mccarthy mcclain mcclure mcconnell
  mccormick mccoy mccray mccullough mcdaniel mcdowell mcfadden mcfarland mcgee mcgowan mcguire mcintosh mcintyre mckay mckee
  mckenzie mckinney mcknight mclaughlin mclean mcleod mcmahon mcmillan mcneil mcpherson meadows melendez melton mercado mercer
  merrill merritt michael middleton miles molina monroe montgomery montoya moody moon mooney moran morin morrow morse morton
  moses mosley moss mueller mullen mullins munoz nash navarro neal newton nguyen nicholson nielsen nixon noble noel nolan
  norman norris nunez obrien ochoa odonnell odom olsen oneal oneil orr osborne owen owens pace pacheco park parks parrish
  patrick patton paul pearson peck pena pennington peters petersen phelps pickett pierce pittman pitts pollard poole pope
  potts powers pratt preston proctor pruitt puckett pugh quinn ramsey randall randolph rasmussen ratliff ray raymond
  reese reeves reid reilly reyes rhodes rich richardson richmond riddle riggs riley rios rivas rivers roach robbins roberson
  robles rocha rodgers rollins roman rosario rosas rosen rowland roy rush russell rutledge ryan salas salinas sampson santana
  santiago sargent saunders savage sawyer schneider schroeder schultz schwartz sears sellers serrano sexton shaffer shannon
  sharpe shelton shepard shepherd sheppard sherman shields short sims singleton skinner slater sloan small snider snow snyder
  solis solomon sosa soto sparks spears spence stafford stanton stark steele stein stephens stephenson stevenson stokes stout
  strickland strong stuart suarez sutton sweet swanson sykes talley tanner tate terrell thomas thornton tillman tran travis
  trevino trujillo tucker tyson valentine valdez valenzuela vance vaughan velez vega villarreal vincent vinson wade wagner
  walker wall wallace waller walls walton ware washington waters watkins watts weiss welch weeks wheeler whitaker whitehead
  whitfield whitley whitney wiggins wilcox wilder wiley wilkerson willis winter wise witt wolf wong woodard woodward wooten
  workman wyatt wynn york zimmerman
  abarca abascal aceves acuna aguado agudo alarcon alba albornoz alcaraz aldana alfonso almansa almazan alonso amador amaya
  anaya andrade aparicio aragon aranda araya arce arellano arenas arevalo armas arriaga arroyo asensio ayala baez balderas
  ballesteros banuelos barajas barahona barragan barrios batista bautista becerra bejarano beltran benavides benitez bermejo
  bermudez bernal blanco blasco bonilla bravo briones bueno burgos caballero caceres calderon calvo camacho campos cano
  cantero caraballo cardona carmona carranza carrasco carrera carrillo casas castano castellanos cepeda cervera chacon
  cisneros collado coronado corral correa crespo cuellar cuevas davila delarosa domenech duran echeverria elizondo enriquez
  escalante escudero espinosa esparza esquivel estevez exposito fajardo feliciano ferrer figueras franco frias gallardo gallego
  gamez garrido gimeno giraldo godinez gonzales granados guevara guillen henao hidalgo hinojosa holguin huerta hurtado iglesias
  izquierdo jaramillo jimenez jurado lara ledesma lemus lerma leyva limon linares lorenzo lozano lucero lugo macias madrid
  madrigal manrique mansilla manzano marin marrero mata medrano meza mendez mercado merino mesa millan mira monge montero
  montes montiel mora moral morillo moya murillo naranjo nava negrete nieto nieves ojeda olivares olmos ordonez orellana
  ornelas osorio otero pardo paredes parra pascual patino paz pedraza pelaez peralta perea pereda pina pineda plaza
  ponce porras portillo posada prieto puente puentes puig quezada quintana quintero quiroga quiroz ramos rangel raya redondo
  rendon rincon rivero robledo roca rodas roldan romo roque rosado rubio rueda saavedra saenz salcedo saldana salgado samaniego
  sanabria sancho santamaria segovia segura sepulveda sierra silvestre solano soler solorzano soriano suarez tamayo tapia
  tejada tejeda tellez tirado tomas tovar trejo trevino ulloa urena uribe urrutia valdes valdivia valencia valero valle
  vallejo varela vela velarde vera vergara vicente vidal villa villalobos villanueva villar villareal villegas yanez zambrano
  zapata zarate zuniga`);

/** True for a first name or family name in use: of two that sound different, neither is a typo of the other. */
export const isNameInUse = (text: string): boolean =>
  ownNames.has(text) || givenNames.has(text) || familyNames.has(text);
