// corpus/word_lists.h: the vocabulary of the generated documents. Part of the corpus's definition:
// any change here changes the bytes of every corpus.
#ifndef LEAFSCORE_CORPUS_WORD_LISTS_H_
#define LEAFSCORE_CORPUS_WORD_LISTS_H_

#include <string_view>

namespace leafscore::internal::corpus {

inline constexpr std::string_view kCompanies[] = {
    "Northwind Traders",  "Alder & Sons Ltd",  "Bluewater Logistics", "Müller Söhne GmbH", "Åkerlund AB",
    "Kestrel Systems",    "Harbour Foods plc", "Lumen Electric Co.",  "Atelier Benoît",    "Tanaka Seiki",
    "Oakridge Timber",    "Pioneer Plastics",  "Vega Instruments",    "Rossi Tessuti Srl", "Cobalt Networks",
    "Greenfield Organic", "Summit Tools Inc.", "Marigold Print",      "Dvořák Stroje",     "Ibérica Solar SL",
};
inline constexpr std::string_view kFirstNames[] = {
    "Anna",  "Ben",    "Chiara", "David", "Elena", "Farid", "Grace", "Hugo",   "Ines",  "Jonas",
    "Karin", "Leonie", "Marco",  "Nadia", "Omar",  "Paula", "Quinn", "Rafael", "Sofia", "Tomáš",
};
inline constexpr std::string_view kLastNames[] = {
    "Adams", "Bauer",   "Costa",  "Dubois", "Eriksson", "Fischer", "García", "Hughes",  "Ivanova", "Jensen",
    "Kumar", "Lefèvre", "Moreau", "Novák",  "O'Brien",  "Petrov",  "Rossi",  "Schmidt", "Tanaka",  "Weiß",
};
inline constexpr std::string_view kStreets[] = {
    "Main Street", "Station Road", "Mill Lane",  "Park Avenue", "Hafenstraße", "Rue Victor Hugo",
    "High Street", "Church Road",  "King's Way", "Elm Court",   "Calle Mayor", "Via Garibaldi",
};
inline constexpr std::string_view kCities[] = {
    "Leeds",   "Hamburg", "Lyon",  "Porto",  "Malmö", "Kraków",  "Denver", "Austin",
    "Toronto", "Utrecht", "Turin", "Zürich", "Osaka", "Bristol", "Dublin", "Sevilla",
};
inline constexpr std::string_view kCountries[] = {"GB", "DE", "FR", "PT", "SE", "PL", "US", "CA", "NL", "IT"};
inline constexpr std::string_view kMailHosts[] = {"example.com", "example.org", "mail.example",
                                                  "corp.example"};
inline constexpr std::string_view kCurrencies[] = {"EUR", "USD", "GBP", "CHF", "SEK", "PLN"};
inline constexpr std::string_view kProducts[] = {
    "Steel bolt M8 x 40",   "Copper cable 3x1.5",   "Office chair, black", "Toner cartridge",
    "LED panel 60x60",      "Safety gloves (L)",    "Packing tape 50 mm",  "Wood screws 4x30",
    "Laptop stand",         "USB-C hub, 7 ports",   "Paper A4 80 g",       "Water filter",
    "Ball bearing 6204",    "Hydraulic hose 1/2\"", "Paint, white, 10 l",  "Cleaning service",
    "Consulting, per hour", "Freight and customs",  "Annual licence",      "Extended warranty",
    "Network switch 24p",   "Label rolls",          "Storage box 45 l",    "Pallet wrap",
};
inline constexpr std::string_view kPaymentTerms[] = {
    "net 30", "net 14", "due on receipt", "2% 10, net 30", "50% in advance", "end of month",
};

// A sentence is a subject, a verb phrase, an object and an ending.
inline constexpr std::string_view kSubjects[] = {
    "The customer",         "Our team",        "The nightly job",  "The second shipment",
    "A new employee",       "The report",      "The web client",   "Each regional office",
    "The supplier",         "The test server", "An older version", "The finance team",
    "The updated contract", "The mobile app",  "Nobody on site",   "The quality check",
};
inline constexpr std::string_view kVerbPhrases[] = {
    "could not open",   "has already confirmed", "does not accept",    "replaced",         "is waiting for",
    "needs a copy of",  "sends twice",           "was asked to check", "failed to import", "recently changed",
    "still depends on", "wants to return",       "no longer supports", "measured",         "approved",
    "lost access to",
};
inline constexpr std::string_view kObjects[] = {
    "the exported file",      "the delivery note",        "all open orders",    "the billing address",
    "three damaged boxes",    "the login page",           "the spare parts",    "a list of 120 items",
    "the signed form",        "the monthly statement",    "the search index",   "the old password",
    "the temperature sensor", "the \"priority\" setting", "the price per unit", "one of the two drives",
};
inline constexpr std::string_view kEndings[] = {
    " since the last update",   " before the end of the week",
    ", which is new",           " without any warning",
    " for the third time",      " in the northern region",
    ", as agreed by phone",     " because of a wrong date",
    " on 4 of 12 machines",     " after the move",
    ", so the case stays open", " at a discount of 15%",
    " according to the manual", "",
    " and asked for a reply",   " while the network is slow",
};

inline constexpr std::string_view kTicketStates[] = {"open", "pending", "on_hold", "solved", "closed"};
inline constexpr std::string_view kPriorities[] = {"low", "normal", "high", "urgent"};
inline constexpr std::string_view kPlans[] = {"free", "team", "business", "enterprise"};
inline constexpr std::string_view kTeams[] = {"Billing", "Platform", "Onboarding", "Field Service"};
inline constexpr std::string_view kActions[] = {"comment", "assign", "escalate", "status_change", "merge"};
inline constexpr std::string_view kTags[] = {
    "login", "export", "refund", "delivery", "mobile", "sso", "api/v2", "invoice", "printer", "beta",
};

inline constexpr std::string_view kCodeLines[] = {
    "def load(path):\n",
    "\twith open(path, \"rb\") as f:\n",
    "\t\treturn json.load(f)\n",
    "for (size_t i = 0; i < n; ++i) {\n",
    "  printf(\"%s\\t%d\\n\", name[i], count[i]);\n",
    "}\n",
    "root = \"C:\\\\data\\\\\" + user\n",
    "url = f\"https://api.example.com/v1/items/{item_id}?q={q!r}\"\n",
    "SELECT id, total FROM orders WHERE total > 100 AND note <> '';\n",
    "assert re.match(r\"^\\d{4}-\\d{2}$\", month)\n",
    "# TODO: handle the empty case\n",
    "\n",
    "const label = rows.map(r => `${r.id}/${r.name}`).join(\"\\n\");\n",
    "if err != nil { return fmt.Errorf(\"read %q: %w\", path, err) }\n",
    "print('done', end=\"\\r\\n\")\n",
    "x = np.zeros((rows, 3), dtype=np.float32)\n",
};

struct Language {
  std::string_view code;
  std::string_view names[4];
  std::string_view phrases[6];
  std::string_view keys[2];
};
inline constexpr Language kLanguages[] = {
    {"de",
     {"Jürgen Groß", "Käthe Weißmüller", "Björn Öztürk", "Änne Schäfer"},
     {"Die Lieferung kommt am Freitag.", "Bitte prüfen Sie die Größe.", "Das Gerät läuft wieder einwandfrei.",
      "Für Rückfragen: +49 40 555-0199.", "Straße und Hausnummer fehlen.", "Schöne Grüße aus München!"},
     {"größe", "straße"}},
    {"fr",
     {"Hélène Lefèvre", "François Noël", "Zoé Gauthier", "Jérôme Besançon"},
     {"La réunion est reportée à mardi.", "Le colis n'est pas arrivé.", "Voilà, c'est réglé !",
      "L'été dernier, déjà…", "Où se trouve la clé ?", "Cœur, sœur, œuvre : à vérifier."},
     {"prénom", "numéro"}},
    {"pl",
     {"Łukasz Wójcik", "Małgorzata Żak", "Święta Jabłońska", "Grzegorz Dąbrowski"},
     {"Zażółć gęślą jaźń.", "Proszę o szybką odpowiedź.", "Faktura została zapłacona.", "Źle wpisany adres.",
      "Paczka dotarła w środę.", "Dziękuję, do usłyszenia!"},
     {"imię", "miejscowość"}},
    {"tr",
     {"Işıl Yıldız", "Çağrı Güneş", "Ömer Şahin", "İpek Doğan"},
     {"Sipariş yarın gönderilecek.", "Şifremi unuttum.", "Ödeme alınamadı, lütfen tekrar deneyin.",
      "İstanbul'da hava güzel.", "Ürün çok iyi çıktı.", "Teşekkürler, iyi günler."},
     {"şehir", "ürün"}},
    {"vi",
     {"Nguyễn Thị Hương", "Trần Văn Đức", "Lê Quỳnh Như", "Phạm Hồng Phượng"},
     {"Đơn hàng đã được gửi.", "Xin vui lòng kiểm tra lại địa chỉ.", "Tôi không đăng nhập được.",
      "Cảm ơn bạn rất nhiều!", "Giá có thể thay đổi.", "Hẹn gặp lại vào tuần sau."},
     {"tên", "địa_chỉ"}},
    {"ru",
     {"Анна Иванова", "Пётр Щербаков", "Юлия Соловьёва", "Дмитрий Ким"},
     {"Заказ отправлен вчера.", "Не удаётся войти в личный кабинет.", "Проверьте, пожалуйста, номер счёта.",
      "Всё работает, спасибо!", "Срок поставки — две недели.", "Ошибка повторилась трижды."},
     {"имя", "город"}},
    {"el",
     {"Ελένη Παπαδοπούλου", "Γιώργος Νικολάου", "Μαρία Ιωάννου", "Νίκος Αγγέλου"},
     {"Η παραγγελία στάλθηκε χθες.", "Δεν μπορώ να συνδεθώ.", "Ευχαριστώ πολύ!", "Ο λογαριασμός είναι λάθος.",
      "Παρακαλώ ελέγξτε τη διεύθυνση.", "Θα τα πούμε αύριο."},
     {"όνομα", "πόλη"}},
    {"zh",
     {"王小明", "李静怡", "陈建国", "欧阳𠮷"},
     {"订单已于昨天发出。", "请核对发票金额。", "系统无法登录，请尽快处理。", "谢谢您的耐心等待！",
      "会议改到星期三下午三点。", "地址填写有误。"},
     {"姓名", "城市"}},
    {"ja",
     {"山田太郎", "佐藤花子", "ｽｽﾞｷ ﾀﾛｳ", "髙橋みどり"},
     {"ご注文の商品は明日届きます。", "パスワードを忘れました。", "請求書を再発行してください。",
      "お問い合わせありがとうございます。", "サーバーが応答しません。", "東京タワーの近くです。"},
     {"名前", "住所"}},
    {"ko",
     {"김민준", "이서연", "박지훈", "최수빈"},
     {"주문하신 상품이 발송되었습니다.", "비밀번호를 잊어버렸어요.", "세금계산서를 확인해 주세요.",
      "빠른 답변 감사합니다!", "회의가 목요일로 변경되었습니다.", "주소가 잘못되었습니다."},
     {"이름", "도시"}},
    {"ar",
     {"فاطمة الزهراء", "محمد عبد الله", "ليلى حسن", "يوسف العلي"},
     {"تم إرسال الطلب أمس.", "لا أستطيع تسجيل الدخول.", "يرجى التحقق من العنوان.", "شكراً جزيلاً!",
      "المبلغ ١٢٣٫٤٥ ريال.", "الاجتماع يوم الأحد."},
     {"الاسم", "المدينة"}},
    {"hi",
     {"अनीता शर्मा", "राजेश कुमार", "प्रिया सिंह", "विक्रम जोशी"},
     {"आपका ऑर्डर भेज दिया गया है।", "कृपया पता जाँच लें।", "लॉग इन नहीं हो रहा है।", "बहुत धन्यवाद!",
      "बिल की राशि ग़लत है।", "बैठक सोमवार को होगी।"},
     {"नाम", "शहर"}},
};
inline constexpr std::string_view kEmoji[] = {
    "😀", "👍🏽", "👩‍💻", "👨‍👩‍👧‍👦", "❤️", "🇪🇺", "🎉", "🏳️‍🌈",
    "☕", "🚀",
};

// Texts that a model writes around an answer, or in place of it.
inline constexpr std::string_view kIntroductions[] = {
    "Sure! Here is the data you asked for:\n\n",
    "Based on the document, the extracted fields are:\n",
    "Answer: ",
};
inline constexpr std::string_view kRefusals[] = {
    "I'm sorry, but the document does not contain enough information to fill in these fields.",
    "I could not find any matching data in the text. Could you provide a clearer scan?",
    "The total is 1,240.50 and the due date is 14 March; the other fields are not legible.",
};
inline constexpr std::string_view kPlaceholders[] = {"N/A", "unknown", "-", "not specified", ""};

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_WORD_LISTS_H_
