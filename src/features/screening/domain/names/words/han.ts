/**
 * Characters that are frequent in names, in pairs of traditional and simplified. Pairs that are missing here count as
 * two characters, which agree by sound only.
 */
const PAIRS =
  '張张陳陈劉刘楊杨趙赵黃黄吳吴孫孙馬马羅罗鄭郑謝谢韓韩馮冯鄧邓蕭萧蔣蒋許许傅傅蘇苏盧卢葉叶閻阎餘余潘潘杜杜賈贾範范譚谭鄒邹陸陆郝郝龔龚邵邵錢钱嚴严賴赖' +
  '龍龙萬万常常武武喬乔賀贺顧顾魯鲁溫温齊齐龐庞聶聂關关歐欧陽阳諸诸葛葛東东駱骆婁娄習习車车畢毕貝贝遲迟單单竇窦費费鳳凤紀纪簡简鞏巩賓宾滿满廣广達达' +
  '鐘钟鍾钟閔闵項项時时倪倪童童衛卫應应饒饶塗涂莊庄湯汤勞劳連连寧宁鄔邬冉冉塵尘黨党鈕钮蘭兰盤盘儲储談谈談谈閆闫寶宝崗岗賽赛買买魏魏' +
  '國国華华偉伟強强軍军傑杰濤涛輝辉麗丽豔艳豔艳艷艳紅红麗丽娟娟靜静芳芳潔洁瓊琼瑩莹穎颖嬌娇鳳凤蓮莲鵬鹏龍龙飛飞雲云鴻鸿斌斌銳锐鋒锋鋼钢鑫鑫鐵铁銘铭' +
  '錦锦鎮镇鈞钧釗钊銀银欽钦鈺钰鑒鉴慶庆慶庆愛爱義义禮礼樂乐業业榮荣東东棟栋樹树權权橋桥歡欢濱滨澤泽潤润漢汉淵渊湧涌瀾澜漣涟瀅滢濟济燦灿煒炜煥焕燁烨' +
  '爾尔獻献現现瑋玮瓏珑環环璽玺瓔璎畫画發发盛盛盡尽碩硕禎祯禦御種种穆穆穩稳窮穷競竞筆笔節节簫箫紹绍紅红純纯綱纲綸纶維维綿绵緒绪緯纬縱纵總总績绩繼继' +
  '續续纖纤罡罡羨羡習习聖圣聞闻聯联聰聪職职肅肃臨临與与興兴舉举艦舰莊庄萬万蒼苍蓋盖薈荟蘊蕴藝艺蘇苏蘭兰處处號号術术裕裕褚褚親亲覺觉覽览觀观計计訓训記记' +
  '許许設设詠咏詩诗誠诚語语誼谊諒谅諾诺謙谦謹谨譽誉讓让豐丰貞贞財财貴贵賀贺資资賢贤贊赞贇赟趙赵躍跃軒轩輔辅載载輪轮輯辑達达遠远遙遥選选遷迁邁迈還还' +
  '鄉乡釋释針针鈴铃鋼钢錢钱錄录鍵键鎧铠鏡镜長长門门開开閏闰閣阁陣阵陽阳階阶際际雋隽雙双雖虽難难霧雾靈灵靜静韋韦韻韵順顺頌颂領领頤颐題题願愿顯显風风飛飞' +
  '養养馨馨馳驰駒驹駿骏騁骋騰腾驍骁驕骄驛驿魚鱼魯鲁鮮鲜鳴鸣鴻鸿鵑鹃鶴鹤鷹鹰麒麒麥麦點点齡龄龍龙龔龚淩凌峯峰崐昆崑昆嶽岳嵐岚巖岩幹干彥彦後后徵征從从' +
  '復复徹彻志志惠惠慧慧憲宪懷怀戰战撫抚擁拥擎擎敵敌斂敛旻旻昇升曉晓暉晖曄晔書书會会東东條条極极構构樓楼機机檢检櫻樱欒栾殘残毓毓氣气決决沖冲況况浩浩' +
  '淨净淩凌湯汤準准滄沧澄澄烏乌無无煙烟熱热燈灯爭争牆墙狀状獨独獎奖珮佩琺珐瑤瑶產产異异當当疇畴癡痴眾众睿睿確确礎础祿禄禪禅稱称穎颖積积簽签紋纹' +
  '紡纺終终經经綵彩網网練练緣缘縈萦縣县織织羅罗義义翹翘聲声脈脉脩修葦苇蔭荫薩萨藍蓝虛虚蝦虾裝装補补襄襄規规視视讀读變变豈岂負负貢贡賈贾質质' +
  '輕轻轉转辦办農农邊边郵邮醫医釀酿鈴铃銅铜銓铨錚铮鍊炼鎖锁鏗铿鐸铎鑄铸閒闲間间闊阔闖闯陰阴陳陈陸陆隨随險险電电韜韬頂顶須须預预頡颉頻频顏颜類类' +
  '飄飘飲饮駝驼騎骑驗验驚惊體体鬱郁鶯莺鸞鸾麼么黃黄齋斋';

const simplifiedOf = new Map<string, string>();
{
  const letters = Array.from(PAIRS);
  for (let i = 0; i + 1 < letters.length; i += 2) simplifiedOf.set(letters[i] ?? '', letters[i + 1] ?? '');
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** Encodes a Chinese character in four characters, the same for its traditional and simplified form. */
export function hanKey(character: string): string {
  let code = (simplifiedOf.get(character) ?? character).codePointAt(0) ?? 0;
  let key = '';
  for (let i = 0; i < HAN_KEY; i += 1) {
    key = DIGITS.charAt(code & 31) + key;
    code >>= 5;
  }
  return key;
}

/** Length of a `hanKey`. */
export const HAN_KEY = 4;
