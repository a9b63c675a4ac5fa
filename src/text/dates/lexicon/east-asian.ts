/** Word lists of read-lexicon.ts: Chinese, Japanese, Korean. Numbers in Han characters need none. */
export const CHINESE = `
ordinals: 第一 第二 第三 第四 第五 第六 第七 第八 第九 第十 第十一 第十二
number 2: 两 兩
number 3: 几
weekdays: 周一/星期一/礼拜一/週一/禮拜一 周二/星期二/礼拜二/週二/禮拜二 周三/星期三/礼拜三/週三/禮拜三 周四/星期四/礼拜四/週四/禮拜四 周五/星期五/礼拜五/週五/禮拜五 周六/星期六/礼拜六/週六/禮拜六 周日/周天/星期日/星期天/礼拜天/礼拜日/週日/禮拜天/禮拜日
unit day: 天 日
unit week: 周 星期 个星期 個星期 礼拜 个礼拜 週 個禮拜 个周
unit weekend: 周末 週末 个周末 個週末
unit month: 个月 個月
unit quarter: 季度 个季度 季
unit half: 半年 个半年
unit year: 年
unit decade: 十年
unit century: 世纪 世紀
unit hour: 小时 个小时 小時 個小時 钟头
unit minute: 分钟 分鐘
day -3: 大前天
day -2: 前天 前日
day -1: 昨天 昨日 昨晚 昨夜
day 0: 今天 今日 今晚 今早 今晨 今夜
day 1: 明天 明日 明晚 明早
day 2: 后天 後天
day 3: 大后天
week 0: 本周 这周 这星期 这个星期 這週 本週
week -1: 上周 上星期 上个星期 上週 上礼拜 上个礼拜
week 1: 下周 下星期 下个星期 下週 下礼拜 下个礼拜
week -2: 上上周 上上个星期 上上週 上上個星期
week 2: 下下周 下下个星期 下下週
weekend 0: 本周末 这周末 这个周末 這個週末
weekend -1: 上周末 上个周末 上週末 上個週末
weekend 1: 下周末 下个周末 下週末
weekend -2: 上上周末 上上个周末 上上個週末
weekend 2: 下下周末 下下个周末
month 0: 本月 这个月 當月 这月 這個月
month -1: 上月 上个月 上個月
month 1: 下月 下个月 下個月
month -2: 上上个月 上上個月
month 2: 下下个月
year 0: 今年 本年
year -1: 去年
year 1: 明年
year -2: 前年
year 2: 后年
which -2: 上上
which -1: 上 上个 上個 最后一个 最後一個 上一个 上一個 过去 過去 最近 最后 最後 过去的 之前 前 上一
which 0: 这 这个 本 這 這個 这一
which 1: 下 下个 下個 下一个 下一個 未来 接下来 今后 之后 下一 未來
yearMark: 年
monthMark: 月 月份
dateMark: 日 号 號
ago: 前 以前 之前
ahead: 后 後 以后 之后 以後 之後 内 内
in: 在
on: 在 于
from: 从 從 自
to: 到 至 和 与 直到
between: 在
and: 和 与 到
half 1: 上半年 前半年 上个半年 上半
half 2: 下半年 后半年 後半年 下半
behind since: 以来 起 开始 以來
behind before: 之前 以前 前
behind after: 之后 以后 后 以後 之後
early: 初 上旬 月初 年初 早些时候
middle: 中旬 中
late: 末 底 下旬 月底 年底
filler: 的 第 那 了
future: 将 会 將 會 要
holiday christmas: 圣诞节 圣诞 聖誕節
holiday christmas-eve: 平安夜
holiday new-year: 元旦
holiday workers-day: 劳动节 五一劳动节
holiday valentine: 情人节
holiday easter: 复活节
holiday halloween: 万圣节
holiday thanksgiving: 感恩节
`

export const JAPANESE = `
ordinals: 第一/第1/最初の/最初/第一の 第二/第2 第三/第3 第四/第4 第五/第5
weekdays: 月曜日/月曜 火曜日/火曜 水曜日/水曜 木曜日/木曜 金曜日/金曜 土曜日/土曜 日曜日/日曜
unit day: 日間 日 営業日
unit week: 週間 週
unit weekend: 週末
unit month: か月 ヶ月 ヵ月 カ月 ケ月 か月間 ヶ月間
unit quarter: 四半期
unit year: 年間 年
unit decade: 年代
unit century: 世紀
unit hour: 時間
unit minute: 分 分間
day -2: おととい 一昨日
day -1: きのう 昨日 昨夜 昨晩 前日
day 0: きょう 今日 本日 今朝 今晩 今夜
day 1: あした 明日 あす 翌日
day 2: あさって 明後日
week 0: 今週 この週
week -1: 先週 前週
week 1: 来週 翌週
week -2: 先々週
week 2: 再来週
weekend 0: 今週末
weekend -1: 先週末
weekend 1: 来週末
month 0: 今月 本月
month -1: 先月 前月
month 1: 来月 翌月
month -2: 先々月
month 2: 再来月
year 0: 今年 本年
year -1: 去年 昨年 前年
year 1: 来年 翌年
year -2: 一昨年 おととし
year 2: 再来年
which -1: 過去 この前の 前の 前回の 最後の 最後 最終 直近 ここ 先の
which 0: この 今度の その
which 1: 次の 次 今後 向こう これから 来る
yearMark: 年
monthMark: 月
dateMark: 日
ago: 前 前に 以上前
ahead: 後 後に 以内 以内に 以上後
from: 今から
to: から より と ～ ～
between: 間の
behind since: から 以来 以降
behind before: 以前 前
behind until: まで までに
half 1: 前半 上半期
half 2: 後半 下半期
behind after: より後 の後 後
early: 初め 始め 初旬 上旬 初頭
middle: 中旬 半ば 中頃
late: 末 下旬 終わり 終わりごろ 最後のほう 年末 月末
filler: の に は も
ordinalMark: 番目 番目の
holiday christmas: クリスマス
holiday christmas-eve: クリスマスイブ
holiday new-year: 元旦 元日
holiday new-years-eve: 大晦日 大みそか
holiday valentine: バレンタインデー
holiday easter: イースター 復活祭
holiday halloween: ハロウィン ハロウィーン
holiday workers-day: メーデー
holiday thanksgiving: 感謝祭
`

export const KOREAN = `
numbers: 한/일/하나 두/이/둘 세/삼/셋 네/사/넷 다섯/오 여섯/육 일곱/칠 여덟/팔 아홉/구 열/십 열한/십일 열두/십이
number 3: 몇
ordinals: 첫/첫_번째/첫번째/첫째 두번째/둘째 세번째/셋째 네번째/넷째 다섯번째/다섯째 여섯번째 일곱번째 여덟번째 아홉번째 열번째
ordinal 1: 첫
weekdays: 월요일 화요일 수요일 목요일 금요일 토요일 일요일
unit day: 일
unit week: 주 주일 주간
unit weekend: 주말
unit month: 개월 달
unit quarter: 분기
unit year: 년 해
unit decade: 년대
unit century: 세기
unit hour: 시간
unit minute: 분
day -2: 그저께 그제 엊그제
day -1: 어제 어젯밤 어저께 전날
day 0: 오늘 오늘밤 오늘날
day 1: 내일 다음날
day 2: 모레 내일모레
week 0: 금주
week -1: 지난주 저번주
week 1: 다음주 내주
month 0: 이달 금월
month -1: 지난달
month 1: 다음달 내달
year 0: 올해 금년
year -1: 작년 지난해
year 1: 내년
year -2: 재작년
which -1: 지난 저번 마지막 최근 과거 이전
which 0: 이번 이 올 금 그
which 1: 다음 다가오는 앞으로 향후 오는
yearMark: 년
monthMark: 월
dateMark: 일
ago: 전 전에
ahead: 후 뒤 후에 뒤에 안에 내로 이내 내에 있다가
to: 부터 에서 과 와
behind since: 부터 이래
behind before: 이전 전
behind until: 까지
half 1: 상반기 전반기
half 2: 하반기 후반기
behind after: 이후 후
early: 초 초반 초순
middle: 중순 중반
late: 말 후반 하순
filler: 의 에 은 는 을 를 도
ordinalMark: 번째
future: 겁 거예요 것입니다 예정
holiday christmas: 크리스마스 성탄절
holiday christmas-eve: 크리스마스이브
holiday new-year: 신정
holiday valentine: 발렌타인데이
holiday easter: 부활절
holiday halloween: 할로윈
holiday thanksgiving: 추수감사절
`
