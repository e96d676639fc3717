"""Tasks and talk to a reader, in other languages: a sentence that starts with a request, or says "you" as to a friend.

Weaker signs than the orders in `instruction_languages`, so they only flag.
"""

START = r"(?:^|[.!?:;,)\]>\"'«»“”。！？؟،।]\s*)"

# What opens a request (a verb as one says it to somebody), then words that speak to somebody, anywhere in a sentence.
REQUESTS: dict[str, tuple[str, str]] = {
    "German": (
        r"(?:schreib|verfass|fass|nenn|gib|erstell|übersetz|beantworte|erklär|zeig|sag|liste|klassifizier|sortier|generier|verrat|mach|hilf|erzähl|überweis|schick|sende|lösch|antworte|merk|denk|spiel)e?(?:n sie|t)?'? (?:mir|mich|uns|dir|mal|nun|jetzt|bitte|dies\w*|einen?|eine|das|die|den|alle|auf|\d|nur|immer)",
        r"\b(?:du (?:\w+st|bitte|mir|mal)|\w+st du|dir|dich|dein(?:e|en|em|er)?|kannst|bitte (?:schreib|gib|sag|mach|zeig)\w*|(?:können|könnten|würden) sie (?:mir|bitte|uns|dies\w*)|(?:immer|jedes mal,?) wenn [^.!?]{3,60}, (?:sag|antworte|genehmige|empfiehl|schick|erwähne)\w*)\b",
    ),
    "French": (
        r"(?:écri[st]|écrivez|rédige[zr]?|résume[zr]?|donne[zr]?|dis|dites|explique[zr]?|traduis|traduisez|classe[zr]?|génère|générez|montre[zr]?|réponds|répondez|crée[zr]?|liste[zr]?|aide[zr]?|laisse[zr]?|envoie|envoyez|raconte[zr]?|fais|faites)(?:-moi|-nous)? (?:un|une|le|la|les|ce|cette|cet|ces|tomber|moi|nous|des|tout|\d|à)\b",
        r"\b(?:tu|toi|ton|ta|tes|peux-tu|pouvez-vous|pourriez-vous|pourrais-tu|donne-moi|donnez-moi|dis-moi|dites-moi|votre (?:créateur|mot de passe|développeur)|merci (?:de |d')\w+(?:er|ir|re)|(?:chaque|toutes les) fois que [^.!?]{3,60}, (?:di[st]|dites|répond|approuve|recommande|envoie|envoye)\w*)\b",
    ),
    "Spanish": (
        r"(?:escrib[ae]|resum[ea]|dame|deme|dime|explica|traduc[ea]|clasifi(?:ca|que)|genera|muestra|responde|crea|haz|enumera|ayúdame|envía|olvídalo|cuéntame|ordena)(?:me)?,? ?(?:un|una|el|la|los|las|est[eao]s?|con|a|por|todo\w*|\d|dame|$|\w+ \w+)",
        r"\b(?:tú|tu|tus|te|contigo|puedes|podrías|puede usted|dame|dime|ayúdame|(?:siempre|cada vez) que [^.!?]{3,60}, (?:di|diga|responde|responda|aprueb[ae]|recomiend[ae]|envía|envíe))\b",
    ),
    "Portuguese": (
        r"(?:escreva|resuma|resumir|dê|diga|explique|traduza|classifique|gere|mostre|responda|crie|faça|liste|ajude|envie|esqueça|esquece|conte|ordene)(?:-me)?,? (?:um|uma|o|a|os|as|est[eao]s?|com|me|todo\w*|\d|pode)\b",
        r"\b(?:você|vocês|tu|teu|tua|contigo|consegue|pode(?:ria)? me|pode (?:classificar|dar|fornecer|escrever|dizer)|como seu (?:criador|desenvolvedor)|(?:sempre|cada vez) que [^.!?]{3,60}, (?:diga|responda|aprove|recomende|envie|ofereça))\b",
    ),
    "Italian": (
        r"(?:scriv[ia]|riassum[ia]|riassumere|dammi|dimmi|spiega(?:mi)?|traduci|classifica|genera|mostra(?:mi)?|rispondi|crea|fai|elenca|aiutami|invia|lascia|raccontami|ordina) (?:un[oa]?|il|la|lo|le|i|gli|quest[aoei]|con|perdere|tutt\w*|\d|l')",
        r"\b(?:tu|tuo|tua|tuoi|tue|puoi|potresti|dammi|dimmi|aiutami|può (?:fornirmi|dirmi|darmi)|ogni volta che [^.!?]{3,60}, (?:di|dica|rispond[ia]|approv[ai]|raccomand[ai]|invi[ai]))\b",
    ),
    "Dutch": (
        r"(?:schrijf|vat|geef|vertel|vertaal|classificeer|genereer|toon|antwoord|maak|noem|help|stuur|vergeet|sorteer|leg) (?:me|mij|een|deze|dit|het|de|alle|op|ons|\d|uit)\b",
        r"\b(?:jij|jou|jouw|je kunt|kun je|kunt u|zou je|geef me|vertel me)\b",
    ),
    "Polish": (
        r"(?:napisz|streść|podsumuj|podaj|powiedz|wyjaśnij|przetłumacz|sklasyfikuj|wygeneruj|pokaż|odpowiedz|stwórz|zrób|wymień|pomóż|wyślij|zapomnij|posortuj)\b",
        r"\b(?:ty|ciebie|tobie|twój|twoj[aeąe]|twojego|twoją|możesz|mógłbyś|czy mogł?[ae]s\w*)\b",
    ),
    "Turkish": (
        r"(?!x)x",
        r"\b(?:sen (?:bir|artık|şimdi|benim|\w+s[iıuü]n)|sana (?:bir|şu|söyle\w*|ver\w*|yaz\w*)|seni|(?<!hari )senin|yapay zek[aâ] olarak|\w+(?:ebilir|abilir) misin\w*)\b|\b\w*yaratıcın\w*\b|\b(?:yaz|özetle|söyle|açıkla|çevir|sınıflandır|göster|listele|ver|oluştur|gönder|anlat)[.!]?$",
    ),
    "Indonesian and Malay": (
        r"(?:tulis|tuliskan|ringkas|rangkum|rangkumlah|berikan|beri|katakan|jelaskan|terjemahkan|klasifikasikan|buat|buatlah|tunjukkan|jawab|sebutkan|kirim|kirimkan|lupakan|urutkan|bantu)\b",
        r"\b(?:kamu|anda|engkau|bisakah|dapatkah|bolehkah|beri saya|beritahu saya|penciptamu|\w{3,}mu)\b",
    ),
    "Tagalog": (
        r"(?:sumulat|isulat|ibuod|buodin|ibigay|bigyan|sabihin|ipaliwanag|isalin|uriin|gumawa|ipakita|sagutin|kalimutan|ilista|pagbukud-bukurin|tulungan|ano|paano)\b",
        r"\b(?:ikaw|iyong|iyo|mo|maaari mo|maaari ka|pwede ka|pwede mo|kailangan mong|bigyan mo ako)\b",
    ),
    "Vietnamese": (
        r"(?:viết|tóm tắt|cho tôi|hãy|giải thích|dịch|phân loại|tạo|liệt kê|trả lời|quên|sắp xếp|nói|giúp)\b",
        r"\b(?:bạn (?:có thể|là|phải|hãy|sẽ|được|cần)|của bạn|hiểu biết của bạn|tạo ra bạn|giúp tôi|cho tôi biết)\b",
    ),
    "Swahili": (
        r"(?:andika|fupisha|nipe|eleza|tafsiri|ainisha|tengeneza|onyesha|jibu|orodhesha|tuma|kusahau|sahau|panga|nisaidie)\b",
        r"\b(?:wewe|wako|yako|lako|unaweza|uwezo wako|muumba wako|nipe|niambie|kunipa|tafadhali)\b",
    ),
    "Swedish, Danish, Norwegian": (
        r"(?:skriv|sammanfatta|ge|gi|giv|berätta|förklara|översätt|lista|visa|svara|skapa|hjälp|skicka|fortell|oppsummer|oversett|fortæl|opsummer) (?:mig|meg|en|ett|et|de[nt]|denna|denne|dette|alla|alle|på|om|\d)\b",
        r"\b(?:dig|deg|din|ditt|dina|dine|dit|kan du|kunne du|skulle du|du (?:är|er|måste|må|ska|skal|kan))\b",
    ),
    "Czech and Slovak": (
        r"(?:napiš|napište|shrň|zhrň|řekni|povedz|vysvětli|vysvetli|přelož|prelož|vytvoř|ukaž|odpověz|odpovedz|dej|daj|pošli|seřaď)\b",
        r"\b(?:ty|tebe|tobě|tvůj|tvoj|tvoje|můžeš|môžeš|mohl bys)\b",
    ),
    "Romanian": (
        r"(?:scrie|rezumă|spune|explică|tradu|creează|arată|răspunde|dă-mi|trimite|sortează)\b",
        r"\b(?:tău|ta|tale|poți|ai putea|dă-mi|spune-mi)\b",
    ),
    "Hungarian": (
        r"(?:írj|foglald|mondd|magyarázd|fordítsd|mutasd|válaszolj|adj|küldj|sorold|készíts)\b",
        r"\b(?:neked|téged|tudsz|tudnál|kérlek)\b",
    ),
    "Finnish": (
        r"(?:kirjoita|tiivistä|kerro|selitä|käännä|luo|näytä|vastaa|anna|lähetä|lajittele)\b",
        r"\b(?:sinä|sinun|sinulle|voitko|voisitko)\b",
    ),
    "Russian": (
        r"(?:напиши|обобщи|резюмируй|дай|скажи|объясни|переведи|классифицируй|создай|покажи|ответь|перечисли|отправь|забудь|отсортируй|помоги|расскажи)(?:те)?\b",
        r"(?:\b(?:ты|тебя|тебе|твой|твоя|твои|твоего|вы (?:должны|теперь|можете ли)|можешь|можете ли|не могл[аи] бы|ваш создатель|ваше? понимание|ваши? (?:знания|инструкции|пароль))\b)",
    ),
    "Ukrainian": (
        r"(?:напиши|підсумуй|дай|скажи|поясни|переклади|створи|покажи|надішли|забудь|розкажи|допоможи)(?:іть|ть|те)?\b",
        r"\b(?:ти|тебе|тобі|твій|твоя|можеш)\b",
    ),
    "Greek": (
        r"(?:γράψε|γράψτε|συνόψισε|δώσε|πες|εξήγησε|μετάφρασε|δημιούργησε|δείξε|απάντησε|στείλε)",
        r"(?:μπορείς|μπορείτε|\bσου\b|\bεσύ\b|\bεσένα\b)",
    ),
    "Hebrew": (
        r"(?:כתוב|כתבי|סכם|תן|ספר|הסבר|תרגם|צור|הצג|ענה|שלח|תגיד)",
        r"(?:אתה|שלך|אותך|תוכל|האם אתה)",
    ),
    "Arabic": (
        r"(?:اكتب|لخص|أعطني|اعطني|قل|اشرح|ترجم|صنف|أنشئ|أظهر|أجب|اذكر|أرسل|رتب|ساعدني|انس)",
        r"(?:أنت|انت|بصفتي|يمكنك|هل تستطيع|منشئك|فهمك|معرفتك|أخبرني|أعطني|من فضلك)",
    ),
    "Persian": (
        r"(?:بنویس|خلاصه کن|بگو|توضیح بده|ترجمه کن)",
        r"(?:خلاصه کن|می‌?توانید|می‌?توانی|به من بگو|لطفا)",
    ),
    "Urdu": (r"(?:لکھیں|بتائیں|خلاصہ)", r"(?:آپ|تم (?:نے|کو|ہو|سے|کیا)|براہ کرم|خلاصہ کریں|بتائیں|لکھیں)"),
    "Hindi and Marathi": (
        r"(?:कृपया|मुझे|लिखें|लिखो|बताएं|बताइए|बताओ|संक्षेप|सारांश)",
        r"(?:आपके?|आपकी|आपको|आपका|तुम|तुम्हार|सकते हैं|सारांश (?:दें|दो|करें)|(?:बताएं|बताओ|लिखें|लिखो|करें|करो|दीजिए|बताइए) *[।.!]?$)",
    ),
    "Bengali": (
        r"(?:অনুগ্রহ|আমাকে|লিখুন|বলুন|সংক্ষিপ্ত)",
        r"(?:আপনি|আপনার|আপনাকে|তুমি|তোমার|পারেন|(?:করুন|করো|লিখুন|লেখো|বলুন|বলো|দিন|দাও) *[।.!]?$)",
    ),
    "Tamil, Telugu, Gujarati, Punjabi": (
        r"(?:தயவுசெய்து|దయచేసి|કૃપા|ਕਿਰਪਾ)",
        r"(?:நீங்கள்|உங்கள்|మీరు|మీ |તમે|તમારા|ਤੁਸੀਂ|ਤੁਹਾਡ)",
    ),
    "Thai": (
        r"(?:เขียน|สรุป|บอก|อธิบาย|แปล|สร้าง|แสดง|ตอบ|ช่วย|โปรด|กรุณา)",
        r"(?:คุณ(?:ช่วย|สามารถ|ต้อง|คือ|เป็น)|ของคุณ|ช่วย)",
    ),
    "Chinese": (
        r"(?:请|請|帮我|幫我|给我|給我|告诉|告訴|写|寫|总结|總結|翻译|翻譯|解释|解釋|列出|分类|分類|生成|算了)",
        r"(?:你|您)(?:的|能|可以|必须|必須|要|是|将|會|会|应|應)|(?:能否|可否|请问)|(?:给|給|帮|幫|告诉|告訴)我",
    ),
    "Japanese": (
        r"(?:要約|翻訳|教えて)",
        r"(?:あなた|君は|お前)|(?:して|って|いて|えて|んで|せて)(?:ください|下さい|くれ)|(?:しなさい|せよ|しろ)[。！]?$|(?:作成|要約|翻訳|分類|説明|出力|書い|教え)(?:して|て)[。！]?$",
    ),
    "Korean": (
        r"(?:제발|부디)",
        r"(?:당신|너는|너의|네가)|(?:하|해|으|주|쓰|말하|작성하|요약하|알려주)(?:세요|십시오|시오|라)[.!]?(?:\s|$)|해 ?줘|줄 수 있",
    ),
}
