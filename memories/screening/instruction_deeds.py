"""Deeds asked for in other languages: approve, delete, send, pay, share, open, change, answer. They only flag.

Each language: what opens an order (tried at the start of a sentence or after a comma or colon), and what gives one away
anywhere. Verbs stand in the forms one says to somebody; where a third person sounds the same, an object must follow.
"""

DEEDS: dict[str, tuple[str, str]] = {
    "German": (
        r"(?:und |dann |bitte |immer |nie |stets )?(?:akzeptier|änder|antwort|befolg|behandl|behaupt|bestätig|bestell|bezahl|buch|deaktivier|entfern|erstatt|erwähn|exportier|führ|genehmig|kauf|klick|kopier|lad|leit|lösch|nutz|öffn|räum|ruf"
        r"|sag|schalt|schick|setz|streich|teil|trag|übergib|überweis|überspring|veröffentlich|verschweig|verrat|weis|zahl|zeig)(?:e|en sie|t)? (?:die|den|das|der|dem|alle[sn]?|jede\w*|ein\w*|mein\w*|mir|uns|ihm|ihr|ihnen|kein\w*|nie\w*|immer|nur|stets|auf|dies\w*|es|sie|ihn|\d|nichts|an|über|nach)\b"
        r"|(?:gib|nimm|lies|sprich|empfiehl|vergib|übergib|hilf|nenn|biete|tu|lass|sei) \w+",
        r"\bab (?:heute|morgen|dieser stelle)\b[^.!?]{0,30}\b(?:du|dein\w*|dir|beantwort\w*|antwort\w*|gibst|sagst|gilt für dich|immer nur)\b|\b(?:wenn|sobald|falls) [^.!?]{3,60}, (?:dann )?(?:gib|sag|nenn|leit|genehmig|bestätig|erstatt|lösch|schick|send|antwort|behaupt|empfiehl|verrat|überweis|lass|biet|erwähn)\w*\b"
        r"|\b(?:der|jeder|die) (?:assistent|bot|agent|ki-assistent|chatbot)\b[^.!?]{0,12}\b(?:soll|muss|darf|wird|hat)\b[^.!?]{0,60}\b(?:passw\w+|ohne|jede[nmrs]?|alle[nmrs]?|kunden\w*|preis\w*|geheim\w*|erstatt\w*|genehmig\w*|niemals?|immer)\b|\bohne (?:nachzufragen|rückfrage|zu fragen|prüfung|zu prüfen)\b",
    ),
    "French": (
        r"(?:et |puis |toujours |ne |merci de )?(?:accept|achèt|affich|approuv|bloqu|chang|cliqu|confirm|désactiv|divulgu|donn|effac|envoi|envoy|export|ignor|télécharg|mentionn|ouvr|parl|partag|pai|pay|publi|recommand|rembours|réserv|supprim|transfèr|transfér|valid|vers|visit)(?:e|es|ez|er)(?:-(?:lui|leur|moi|nous|les|le|la))? (?:le|la|les|l'|un|une|tous|toute?s?|tout|ce|cette|ces|mon|ma|mes|leur|leurs|son|sa|ses|à|au|aux|des|du|sans|jamais|toujours|\d|sur|chaque)\b"
        r"|(?:dis|dites|fais|réponds|répondez|mets|prends) (?:que|à|au|aux|toujours|jamais|le|la|les|un|une)\b",
        r"\b(?:à partir|à compter) (?:d'aujourd'hui|de ce jour|de demain)\b[^.!?]{0,30}\b(?:tu|vous|réponds?|répondez|accepte[zs]?|toujours)\b|\b(?:si|quand|lorsque|dès que|lorsqu|dès qu|quand) [^.!?]{3,60}, (?:tu |vous )?(?:accepte|approuve|donne|dis|dites|répond|envoie|envoye|propose|rembourse|supprime|partage|recommande|valide)\w*\b|\b(?:l'assistant|le bot|l'agent|l'ia)\b[^.!?]{0,12}\b(?:doit|peut|devra|devrait|partage|accepte)\b[^.!?]{0,60}\b(?:mot de passe|sans|tou[ts]\w*|chaque|clients?|rembours\w*|jamais|toujours|secret\w*)\b|\bsans (?:vérifier|demander|poser de questions?|validation|confirmation)\b",
    ),
    "Spanish": (
        r"(?:y |luego |siempre |nunca |no )?(?:abr|acept|aprueb|borr|bloque|cambi|clasific|compart|compr|confirm|conced|d[aáeé]|desactiv|descarg|devuelv|elimin|entreg|envi|enví|export|ignor|mand|mencion|muestr|ofrec|oculta|pag|public|recomiend|reembols|reserv|revel|transfier|vend|visit)(?:a|e|as|es|ad|en|le|me|les|n)? (?:el|la|los|las|un|una|al|todos?|todas?|cada|mi|mis|su|sus|a|que|este|esta|cualquier|sin|siempre|\d|solo|sólo)\b"
        r"|(?:di|diga|dile|haz|pon|responde|responda|contesta) (?:que|a|al|siempre|solo|sólo|con|el|la|un|una|en)\b",
        r"\b(?:a partir de|desde) (?:hoy|mañana|este momento)\b[^.!?]{0,30}\b(?:tú|respond\w*|siempre|aprueb\w*|debes|solo|sólo|eres)\b|\b(?:si|cuando|en cuanto) [^.!?]{3,60}, (?:entreg|da|dale|di|dile|aprueb|acept|respond|envía|envíe|manda|ofrec|borr|compart|recomiend|reembols|transfier)\w*\b|\b(?:el asistente|el agente|el bot|la ia)\b[^.!?]{0,12}\b(?:debe|puede|tiene que|debería|comparte|entrega|aprueba)\b[^.!?]{0,60}\b(?:contraseñas?|sin|tod[oa]s?|cada|clientes?|reembols\w*|nunca|siempre|secret\w*|clave\w*)\b|\bsin (?:preguntar|comprobar|verificar|revisar|confirmación|que nadie)\b|\bno se lo digas\b",
    ),
    "Portuguese": (
        r"(?:e |depois |sempre |nunca |não )?(?:abr|aceit|aprov|apag|bloquei|clique|compartilh|partilh|compr|confirm|conced|desativ|baix|descarregu|devolv|elimin|entregu|envi|export|exclu|mand|mencion|mostr|ofereç|pag|pagu|public|publiqu|recomend|reembols|reserv|revel|transfer|transfir|vend|visit)(?:a|e|em|es|i)?(?:-(?:me|lhe|o|a))? (?:o|a|os|as|um|uma|ao|à|todos?|todas?|cada|meu|minha|seu|sua|este|esta|qualquer|que|sem|sempre|\d)\b"
        r"|(?:diz|diga|faz|responde|responda) (?:que|a|ao|sempre|só|apenas|com|o|um|uma|em)\b",
        r"\b(?:a partir de|desde) (?:hoje|amanhã|agora)\b[^.!?]{0,30}\b(?:você|tu|respond\w*|sempre|aprov\w*|deve)\b|\b(?:se|quando|sempre que|assim que) [^.!?]{3,60}, (?:entregue|dê|diga|aprove|aceite|responda|envie|ofereça|apague|compartilhe|recomende|reembolse|transfira)\b|\b(?:o assistente|o agente|o bot|a ia)\b[^.!?]{0,12}\b(?:deve|pode|tem de|tem que|partilha|aprova)\b[^.!?]{0,60}\b(?:senhas?|sem|tod[oa]s?|cada|clientes?|reembols\w*|nunca|sempre|secret\w*)\b|\bsem (?:perguntar|verificar|conferir|confirmação|revisão)\b|\bnunca diga\b",
    ),
    "Italian": (
        r"(?:e |poi |sempre |mai |non )?(?:accett|appr?ov|apr|blocc|cambi|cancell|clicc|compr|condivid|conferm|consegn|disattiv|elimin|esport|ignor|invi|mand|menzion|mostr|offr|pag|prenot|pubblic|raccomand|rimbors|rivel|scaric|trasferisc|vend|visit)(?:a|i|ate|ete|ite|are|ere)(?:gli|le|lo|la|mi)? (?:il|lo|la|i|gli|le|l'|un|uno|una|al|alla|ai|tutt[oaie]|ogni|mio|mia|miei|suo|sua|questo|questa|qualsiasi|che|senza|sempre|\d)\b"
        r"|(?:di'|dì|dica|fai|fa'|dai|da'|rispondi|risponda|manda) (?:che|a|al|ai|sempre|solo|con|il|la|un|una|in|tutt\w)\b",
        r"\b(?:da oggi|da domani|a partire da (?:oggi|ora|adesso))\b[^.!?]{0,30}\b(?:tu|rispond\w*|sempre|approv\w*|devi|solo)\b|\b(?:se|quando|appena|non appena) [^.!?]{3,60}, (?:approv|accett|dai|dì|rispond|invi|mand|offr|cancell|condivid|raccomand|rimbors|consegn|trasferisc)\w*\b|\b(?:l'assistente|l'agente|il bot|l'ia)\b[^.!?]{0,12}\b(?:deve|può|dovrebbe|condivide|approva)\b[^.!?]{0,60}\b(?:password|senza|tutt[ie]|ogni|clienti?|rimbors\w*|mai|sempre|segret\w*)\b|\bsenza (?:chiedere|controllare|verificare|conferma|controlli)\b",
    ),
    "Dutch": (
        r"(?:en |dan |altijd |nooit )?(?:accepteer|antwoord|beantwoord|bevestig|betaal|bezoek|blokkeer|boek|deel|download|exporteer|geef|keur|klik|koop|lees|maak|meld|negeer|noem|onthul|open|publiceer|reserveer|schakel|sla|stuur|toon|vergoed|verklap|verwijder|wijzig|wis|zeg|zet) (?:de|het|een|alle|elke|mijn|me|mij|ons|hem|haar|hun|aan|over|op|uit|nooit|altijd|geen|dit|deze|dat|\d|naar)\b",
        r"\b(?:vanaf vandaag|vanaf morgen)\b[^.!?]{0,30}\b(?:je|jij|u|geef|antwoord|altijd|keur)\b|\b(?:als|wanneer|zodra) [^.!?]{3,60}, (?:geef|zeg|keur|stuur|antwoord|bied|verwijder|deel|vergoed|accepteer)\b|\bde (?:assistent|bot|agent)\b[^.!?]{0,12}\b(?:moet|mag|zal|deelt|geeft)\b[^.!?]{0,60}\b(?:wachtwoord\w*|zonder|alle|elke|klant\w*|nooit|altijd|geheim\w*)\b|\bzonder (?:te vragen|te controleren|controle|navraag)\b",
    ),
    "Polish": (
        r"(?:i |zawsze |nigdy |nie )?(?:akceptuj|kliknij|kup|mów|odpowiadaj|odwiedź|otwórz|opłać|podawaj|pokaż|polecaj|pomijaj|prześlij|przelej|przelewaj|przyznaj|skasuj|ujawniaj|udostępnij|udostępniaj|usuń|usuwaj|wyłącz|wyślij|wysyłaj|zapłać|zatwierdź|zatwierdzaj|zgadzaj|zmień|zwróć|zwracaj)\b",
        r"\bod (?:dziś|dzisiaj|jutra)\b[^.!?]{0,30}\b(?:zawsze|odpowiad\w*|zatwierdz\w*|masz|mów)\b|\b(?:jeśli|gdy|kiedy|jeżeli) [^.!?]{3,60}, (?:podaj|powiedz|zatwierdź|wyślij|odpowiedz|zwróć|usuń|daj|zaproponuj)\b|\bbez (?:pytania|sprawdzania|weryfikacji|potwierdzenia)\b",
    ),
    "Turkish": (
        r"(?!x)x",
        r"\b(?:onayla|sil|gönder|paylaş|öde|ver|söyle|aç|kapat|iptal et|reddet|öner|cevapla|yanıtla|transfer et|havale et|satın al|indir|tıkla|de|kabul et|iade et|atla|gizle|unut)(?:yın|yin|in|ın|un|ün)?[.!]?$|\bbugünden itibaren\b|\b\w+(?:dan|den|madan|meden) (?:onayla|gönder|ver|öde|sil|paylaş)\w*\b",
    ),
    "Indonesian and Malay": (
        r"(?:dan |selalu |jangan |tolong |mulai (?:hari ini|sekarang)[, ]+)?(?:abaikan|bagikan|bayar|beli|berikan|buka|hapus|jawab|kirim|kirimkan|klik|kongsi|luluskan|padam|pesan|rekomendasikan|setujui|terima|transfer|tolak|ubah|ungkapkan|unduh)(?:lah)? \w+",
        r"\b(?:jika|bila|kalau|ketika|setiap kali) [^.!?]{3,60}, (?:berikan|katakan|setujui|kirim|jawab|hapus|tawarkan|beri)\w*\b|\btanpa (?:bertanya|memeriksa|verifikasi|konfirmasi|ditanya)\b",
    ),
    "Vietnamese": (
        r"(?:luôn |đừng |hãy )?(?:chấp nhận|chuyển|duyệt|đặt|gửi|mua|mở|nhấp|phê duyệt|tải|thanh toán|tiết lộ|xóa|xoá|chia sẻ|trả lời|đổi) \w+",
        r"\bhãy\b|\bđừng (?:nói|hỏi|cho|tiết lộ|kiểm tra)\b|\bmà không (?:hỏi|cần hỏi|kiểm tra)\b|\bcho bất kỳ ai\b",
    ),
    "Swedish, Danish, Norwegian": (
        r"(?:och |og |alltid |altid |aldrig |aldri )?(?:acceptera|accepter|betala|betal|boka|bestill|dela|del|fjern|ge|giv|gi|godkänn|godkend|godkjenn|klicka|klik|klikk|köp|køb|kjøp|lämna|öppna|åbn|åpne|radera|slet|slett|skicka|send|svara|svar|säg|sig|si|ta bort|överför|overfør|ändra|visa|vis|lyd) (?:kunde\w+|brukere\w+|användar\w+|alla|alle|allt|alt|den|det|de|en|ett|et|min|mitt|mina|mit|mine|till|til|at|att|aldrig|alltid|altid|varje|hver|inte|ikke|bara|\d)\b",
        r"\b(?:om|när|når|hvis) [^.!?]{3,60}, (?:ge|giv|gi|säg|sig|si|godkänn|godkend|godkjenn|skicka|send|svara|svar)\b|\b(?:utan att|uden at|uten å) (?:fråga|spørge|spørre|kontrollera|kontrollere|kolla)\b|\bfrån och med idag\b[^.!?]{0,20}\b(?:du|ska)\b",
    ),
    "Czech and Slovak": (
        r"(?:a |vždy |nikdy )?(?:klikni|kup|navštiv|neříkej|odpovídej|odpovedaj|otevři|otvor|potvrď|potvrdzuj|přijmi|prijmi|přepošli|převeď|preveď|řekni|sdílej|schval|schvaľ|schvaluj|schvaľuj|smaž|stáhni|uhraď|vrať|vymaž|vyplať|zaplať|zdieľaj|zmaž|změň|zmeň)\w*\b",
        r"\bod (?:dneška|zítřka|dnes|zajtra)\b[^.!?]{0,20}\b(?:schval\w*|schvaľ\w*|odpov\w*|vždy|budeš)\b|\b(?:když|pokud|jakmile|ak|keď) [^.!?]{3,60}, (?:řekni|dej|schval|pošli|vrať|povedz|daj)\w*\b|\bbez (?:ptaní|ověření|kontroly|overenia|pýtania)\b",
    ),
    "Romanian": (
        r"(?:și |mereu |niciodată |nu )?(?:acceptă|aprobă|blochează|confirmă|cumpără|deschide|dezvăluie|distribuie|oferă|partajează|plătește|rambursează|răspunde|rezervă|schimbă|șterge|sterge|transferă|trimite|vizitează) (?:toate|toți|orice|un|o|la|mereu|fiecare|\w+l|\w+a|\w+le|\d)\b",
        r"\bde (?:azi|astăzi|mâine)\b[^.!?]{0,20}\b(?:răspunzi|vei|aprobă|mereu)\b|\bfără (?:să (?:întrebi|verifici)|verificare|întrebări)\b",
    ),
    "Hungarian": (
        r"(?!x)x",
        r"\b(?:hagyd jóvá|töröld|küldd|utald|oszd meg|nyisd meg|kattints|fizesd|felelj|add (?:meg|ki|oda)|vedd meg|térítsd|ne mondd|mindig (?:mondd|felelj|válaszolj))\b|\bkérdés nélkül\b|\bellenőrzés nélkül\b",
    ),
    "Finnish": (
        r"(?:ja |aina |älä )?(?:anna|avaa|hyväksy|jaa|klikkaa|lähetä|maksa|osta|palauta|paljasta|poista|sano|siirrä|vaihda|varaa|vastaa) (?:kaikki|kaikille|aina|jokainen|jokaiselle|asiakkaan|käyttäjän|minulle|mitään|\w+lle|\w+t)\b",
        r"\btästä päivästä (?:lähtien|alkaen)\b|\bkysymättä\b|\btarkistamatta\b",
    ),
    "Russian": (
        r"(?:и |всегда |никогда |просто )?(?:одобр(?:и|яй)|удал(?:и|яй)|отправ(?:ь|ляй)|переш(?:ли|лите)|перевед(?:и)|переводи|заплати|оплати|поделись|куп(?:и)|откр(?:ой)|перейди|нажми|скачай|измени|отключи|отвечай|говори|сообщай|утверждай|рекомендуй|подтверди|подтверждай|верни|возвращай|выда(?:й|вай)|пропускай|скрой|скрывай|соглашайся|предлагай)(?:те)?\b",
        r"\b(?:с сегодняшнего дня|начиная с сегодня)\b[^.!?]{0,30}\b(?:отвеча|одобр|всегда|ты|вы)|\b(?:если|когда|как только) [^.!?]{3,60}, (?:то )?(?:скажи|дай|одобри|отправь|верни|ответь|предложи|сообщи|выдай|назови)(?:те)?\b|\bбез (?:проверки|вопросов|подтверждения)\b|\bне (?:говори|сообщай|упоминай|спрашивай)(?:те)?\b",
    ),
    "Ukrainian": (
        r"(?:і |завжди |ніколи )?(?:схвал(?:и|юй)|видал(?:и|яй)|надсилай|перекажи|сплати|поділись|куп(?:и)|відкрий|натисни|зміни|відповідай|кажи|підтверди|поверни)(?:те|іть)?\b",
        r"\bвід сьогодні\b|\bбез (?:перевірки|запитань)\b",
    ),
    "Greek": (
        r"(?:και |πάντα |μην )?(?:ενέκρινε|εγκρίνε|διάγραψε|στείλε|πλήρωσε|μοιράσου|άνοιξε|απάντα|πες|δώσε|αγόρασε|μετάφερε|άλλαξε)\b",
        r"από σήμερα [^.!?;]{0,20}(?:απαντ|εγκρ|πάντα)|χωρίς (?:να ρωτ|έλεγχο|ερωτήσεις)",
    ),
    "Hebrew": (
        r"(?:אשר|מחק|העבר|שלם|שתף|קנה|פתח|לחץ|אמור|שנה) \S+",
        r"מהיום (?:תענה|אשר|תאשר|עליך)|בלי לשאול|ללא בדיקה",
    ),
    "Arabic": (
        r"(?:وافق|احذف|حوّل|حول|ادفع|شارك|أعط|افتح|انقر|أخبر|اشتر|غيّر|ارسل|اقبل) \S+",
        r"من (?:اليوم|الغد)[^.!?؟]{0,12}(?:وافق|أجب|أنت|قل|دائما)|دون (?:سؤال|تحقق|مراجعة|أن تسأل)|بدون (?:سؤال|تحقق|مراجعة)",
    ),
    "Hindi and Marathi": (
        r"(?!x)x",
        r"(?:दे दो|दे दें|भेजो|भेज दो|भेज दें|मंज़ूर करो|मंजूर करो|मंज़ूर करें|हटा दो|मिटा दो|बता दो|भुगतान करो) *[।.!]?$|बिना पूछे|बिना जाँच",
    ),
    "Thai": (r"(?:อนุมัติ|ลบ|ส่ง|โอน|จ่าย|แชร์|เปิด|คลิก|ซื้อ)\S+", r"โดยไม่(?:ต้อง)?(?:ถาม|ตรวจสอบ)"),
    "Chinese": (
        r"(?:批准|同意|删除|刪除|转发|轉發|支付|转账|轉帳|告诉|告訴|透露|购买|点击|訪問|访问|回复|回覆|推荐|泄露)[^。！？]{1,30}",
        r"(?:从|從)?今天(?:起|开始|開始)[^。！？]{0,16}(?:都|必须|直接|一律|回答|批准|总是)|把[^。！？]{1,14}(?:告诉|告訴|发给|發給|转发给|轉發給|发送到|發送到|交给|透露给)|(?:不要|别|無需|无需|不用)(?:告诉|询问|问|核实|检查|提及|告訴|詢問)|(?:当|如果|每当|一旦)[^。！？]{2,24}[，,](?:就|请|則|则|请你|立即|直接)",
    ),
    "Japanese": (
        r"(?:承認|削除|送信|転送|共有|公開|支払|購入|返金|回答)(?:して|せよ|しろ|しなさい)",
        r"(?:今日から|本日から)[^。]{0,24}(?:して|答え|承認|こと)|(?:教え|伝え|送|承認す|削除す|転送す|共有す|答え|返金す)ること(?:。|$)|(?:確認せず|聞かず|尋ねず|無断)に|(?:と聞かれたら|と言われたら|が来たら|たら必ず)",
    ),
    "Korean": (
        r"(?!x)x",
        r"오늘부터[^.!?]{0,24}(?:승인|답|해|하)|(?:묻지|확인하지|검토하지) (?:말고|않고)|(?:승인|삭제|전송|전달|공유|송금|결제|환불)(?:해|하라|할 것|하십시오|하세요)",
    ),
}
# A note to an assistant, whatever the language: a word for a note beside a word for an assistant, then a colon.
_ASSISTANT = (
    r"(?:assistent\w*|assistants?|asistent\w*|asisten\w*|asystent\w*|asistan\w*|assistentti|asszisztens\w*|agent(?:en|e|a|i|u|om)?|agents?|\bbots?\b|chatbot\w*|\bki\b|\bia\b|\bki-\w+|modell?[eoi]?\b|sprachmodell\w*"
    r"|ассистент\w*|помощник\w*|асистент\w*|агент\w*|модел\w*|бот\w*|βοηθ\w*|助手|助理|智能体|模型|アシスタント|エージェント|어시스턴트|도우미|비서|에이전트|مساعد\w*|للمساعد|المساعد|العميل الذكي|सहायक|trợ lý|ผู้ช่วย|עוזר|msaidizi|katulong)"
)
_NOTE = (
    r"(?:notiz|hinweis|nachricht|anweisung|anmerkung|merkzettel|wichtig|note|consigne|message|rappel|nota|aviso|mensaje|recordatorio|instrucci[oó]n|mensagem|recado|lembrete|instrução|messaggio|promemoria|istruzione|bericht|notitie|opmerking|herinnering"
    r"|notatka|wiadomość|uwaga|przypomnienie|polecenie|\bnot\b|mesaj|hatırlatma|talimat|заметка|сообщение|примечание|указание|напоминание|инструкция|нотатка|σημείωση|μήνυμα|提示|备注|備註|提醒|说明|留言|メモ|注意|連絡|指示|메모|알림|안내|ملاحظة|رسالة|تعليمات|नोट|मेमो|संदेश|ghi chú|nhắc nhở|lưu ý"
    r"|catatan|pesan|pengingat|anteckning|meddelande|besked|notat|beskjed|poznámka|vzkaz|odkaz|jegyzet|üzenet|muistiinpano|viesti|notă|mesaj|บันทึก|ข้อความ|הערה|הודעה|ujumbe|paalala)"
)
NOTE_TO_ASSISTANT = (
    rf"{_NOTE}[^.!?。\n]{{0,24}}?{_ASSISTANT}[^.!?。\n]{{0,14}}?[:：]|{_ASSISTANT}[^.!?。\n]{{0,10}}?{_NOTE}[^.!?。\n]{{0,6}}?[:：]"
    r"|(?<!\w)(?:an alle|à tou(?:s|tes)|a tod[oa]s|a tutt[ei]|aan alle|do wszystkich|всем|для всех) (?:\w{1,3} )?(?:\w+[- ])?(?:ki\b|ki-\w+|ia\b|ias\b|ai\b|bots?|assistent\w*|asistent\w*|ассистент\w*|моделям|agent\w*|modell\w*)[^.!?\n]{0,20}[:,]"
    r"|(?:アシスタント|エージェント)(?:へ|宛)|(?:致|给|給|告)(?:助手|助理|智能体)[:：，,的]|(?:어시스턴트|에이전트)(?:에게|께)"
)
