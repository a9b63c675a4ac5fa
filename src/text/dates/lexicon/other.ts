/** Word lists of read-lexicon.ts: Turkish, Hindi, Arabic. */
export const TURKISH = `
endings: ı i u ü yı yi yu yü sı si su sü ın in un ün nın nin nun nün a e ya ye da de ta te dan den tan ten ki nda nde ndan nden na ne ına ine una üne lar ler ları leri sında sinde ında inde unda ünde dır dir ten_beri daki deki nci ncı ncu ncü
numbers: bir iki üç dört beş altı yedi sekiz dokuz on on_bir on_iki on_üç on_dört on_beş on_altı on_yedi on_sekiz on_dokuz yirmi yirmi_bir yirmi_iki yirmi_üç yirmi_dört yirmi_beş yirmi_altı yirmi_yedi yirmi_sekiz yirmi_dokuz otuz otuz_bir
number 3: birkaç
ordinals: birinci/ilk ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu
months: ocak/oca şubat/şub mart/mar nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki/ekm kasım/kas aralık/ara
weekdays: pazartesi salı çarşamba perşembe cuma cumartesi pazar_günü
short weekdays: pzt - çar per - cmt pazar
unit day: gün günü günün günlük
unit week: hafta haftalık
unit weekend: hafta_sonu haftasonu
unit month: ay
unit quarter: çeyrek çeyreği
unit year: yıl yılı sene
unit decade: on_yıl
unit century: yüzyıl
unit hour: saat
unit minute: dakika dakikada
day -2: evvelsi_gün önceki_gün evvelki_gün
day -1: dün dün_gece dün_akşam
day 0: bugün bu_gün bu_akşam bu_sabah bu_gece
day 1: yarın ertesi_gün
day 2: öbür_gün ertesi_günü
which -1: geçen önceki son geçtiğimiz
which 0: bu o
which 1: gelecek önümüzdeki sonraki yaklaşan bu_yaklaşan
ago: önce evvel
ahead: sonra içinde sonrasında
to: ten tan den dan ile ve
behind since: beri itibaren
behind before: önce önceki
behind until: kadar
behind after: sonra sonraki
early: başı başında başları başlarında başında
middle: ortası ortasında
late: sonu sonunda sonları sonlarında
filler: e a ye ya de da te ta in ın un ün nin nın i ı te
future: edeceğiz döneceğim yapacağız olacak yokum
holiday new-year: yılbaşı
holiday christmas: noel
holiday easter: paskalya
holiday valentine: sevgililer_günü
`

export const HINDI = `
numbers: एक दो तीन चार पांच/पाँच छह/छः सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह/पन्द्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस/बाइस तेईस/तेइस चौबीस पच्चीस छब्बीस सत्ताईस/सत्ताइस अट्ठाईस/अठ्ठाईस/अट्ठाइस उनतीस/उन्तीस तीस इकतीस/इकत्तीस
number 3: कुछ
ordinals: पहला/पहले/पहली/प्रथम दूसरा/दूसरे/दूसरी तीसरा/तीसरे/तीसरी चौथा/चौथे/चौथी पांचवां/पाँचवां/पांचवें छठा/छठे सातवां/सातवें आठवां/आठवें नौवां/नौवें दसवां/दसवें ग्यारहवें बारहवें तेरहवें चौदहवें पंद्रहवें सोलहवें सत्रहवें अठारहवें उन्नीसवें बीसवें इक्कीसवें बाईसवें तेईसवें चौबीसवें पच्चीसवें छब्बीसवें सत्ताईसवें अट्ठाईसवें उनतीसवें तीसवें इकत्तीसवें/इकतीसवें
months: जनवरी/जन/जन॰ फरवरी/फ़रवरी/फर मार्च अप्रैल मई जून जुलाई अगस्त/अग सितंबर/सितम्बर/सितं अक्टूबर/अक्तूबर/अक्टू/अक्तू नवंबर/नवम्बर/नवं दिसंबर/दिसम्बर/दिसं
weekdays: सोमवार मंगलवार बुधवार गुरुवार/बृहस्पतिवार/वीरवार शुक्रवार शनिवार रविवार/इतवार
short weekdays: सोम मंगल बुध गुरु शुक्र शनि रवि
unit day: दिन दिनों दिवस
unit week: सप्ताह हफ्ते हफ़्ते हफ्ता हफ्तों सप्ताहों
unit weekend: सप्ताहांत वीकेंड वीकेंड
unit month: महीने महीना माह महीनों
unit quarter: तिमाही
unit half: छमाही
unit year: साल वर्ष सालों वर्षों कैलेंडर_वर्ष
unit decade: दशक दशकों
unit century: सदी शताब्दी
unit hour: घंटे घंटा घंटों
unit minute: मिनट मिनटों
either 1: कल
either 2: परसों
day -1: बीते_कल
day 0: आज आज_रात
which -1: पिछले पिछला पिछली बीते गत अंतिम आखिरी आख़िरी पूर्व
which 0: इस यह मौजूदा वर्तमान उस उसी
which 1: अगले अगला अगली आगामी आने_वाले आनेवाले
ago: पहले पूर्व
ahead: में बाद के_बाद बाद_में के_अंदर के_भीतर
to: से और
and: और
behind since: से
behind before: पहले से_पहले के_पहले
behind until: तक
behind after: के_बाद बाद से_बाद_में
early: शुरुआत शुरू आरंभ प्रारंभ
middle: मध्य बीच
late: अंत आखिर
filler: के की का को में पर तारीख
future: जाऊंगा जाऊँगा होगा होगी आऊंगा रहूँगा रहुंगा करेंगे जाएंगे करूंगा लौटूंगा आएंगे होंगे निकलूंगा सकते करते चलते
holiday christmas: क्रिसमस
holiday new-year: नव_वर्ष नए_साल नया_साल
holiday easter: ईस्टर
holiday valentine: वैलेंटाइन_डे
holiday patrick: संत_पैट्रिक
holiday thanksgiving: थैंक्सगिविंग
holiday halloween: हैलोवीन
holiday workers-day: मजदूर_दिवस श्रमिक_दिवस
`

export const ARABIC = `
beginnings: ال وال بال لل و ب ل
numbers: واحد/واحدة اثنان/اثنين/اثنتين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر
number 20: عشرين عشرون
number 29: تسعة_وعشرين
number 30: ثلاثين ثلاثون
ordinals: أول/أولى/الأول/الأولى ثاني/ثانية ثالث/ثالثة رابع/رابعة خامس/خامسة
months: يناير فبراير مارس أبريل/إبريل/ابريل مايو يونيو يوليو أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر
weekdays: اثنين/إثنين/الاثنين/الإثنين ثلاثاء أربعاء/الأربعاء خميس جمعة سبت/السبت أحد/الأحد
unit day: يوم أيام ايام يومًا يوما
unit week: أسبوع أسابيع اسبوع
unit weekend: عطلة_نهاية_الأسبوع نهاية_الأسبوع
unit month: شهر أشهر شهور
unit quarter: ربع
unit year: سنة عام سنوات أعوام سنين عامًا
unit decade: عقد
unit century: قرن
unit hour: ساعة ساعات
unit minute: دقيقة دقائق
day -2: أول_أمس أول_من_أمس
day -1: أمس امس البارحة مبارح
day 0: اليوم الليلة هذا_المساء هذا_الصباح
day 1: غدا غدًا الغد غد بكرة
day 2: بعد_غد بعد_غدٍ
which -1: ماضي ماضية الماضي الماضية السابق السابقة الفائت الفائتة المنصرم الأخيرة الأخير
which 0: هذا هذه الحالي الحالية
which 1: قادم قادمة القادم القادمة المقبل المقبلة التالي التالية
ago: قبل منذ
before: قبل
ahead: بعد خلال في_غضون
after: بعد
in: في منذ خلال
on: يوم في بتاريخ
from: من
to: إلى الى حتى و
between: بين
and: و
since: منذ
early: بداية أوائل مطلع
middle: منتصف أواسط
late: نهاية أواخر
filler: من في يوم شهر عام سنة
future: سأعود سأخرج سوف سنذهب
`
