"""Common given names from many countries, lower-cased: with a capitalised word after it, one marks a
person."""

GIVEN_NAMES = frozenset(
    """
    james john robert michael william david richard joseph thomas charles christopher daniel matthew
    anthony donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason
    jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
    gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose henry adam douglas nathan
    peter zachary kyle walter harold jeremy ethan carl keith roger gerald christian terry sean arthur
    austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie gabriel alan juan logan
    wayne ralph roy eugene randy vincent russell louis philip bobby johnny bradley stanley oliver oscar
    theodore felix hugo leo liam mason lucas elijah owen luke isaac caleb evan connor ian colin graham
    stuart neil nigel clive mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa
    nancy betty margaret sandra ashley kimberly emily donna michelle carol amanda dorothy melissa deborah
    stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole
    helen samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie
    olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah
    jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice judy sophia
    grace denise amber doris marilyn danielle beverly isabella theresa diana natalie brittany charlotte
    marie kayla alexis lori jane claire lucy chloe zoe holly gemma fiona alison tracy wendy gillian sally
    jasmine molly savannah hans klaus jürgen wolfgang stefan andreas matthias sebastian tobias florian
    markus lukas jonas niklas leon finn fritz ernst karl heinz dieter uwe bernd ralf holger thorsten
    torsten jens sven lars björn dirk günter günther helmut gerhard horst rainer manfred ulrich ursula
    monika petra sabine renate helga brigitte ingrid gisela heike katrin kathrin silke anja claudia birgit
    lena mia johanna greta pierre jacques françois michel philippe alain bernard henri nicolas laurent
    olivier julien antoine mathieu guillaume thierry pascal émile étienne rené andré gérard yves benoît
    cédric rémi maxime théo nathalie isabelle sylvie céline aurélie camille manon léa chloé inès élodie
    hélène geneviève margaux juliette amélie mathilde pauline monique valérie véronique dominique simone
    giuseppe giovanni antonio mario luigi angelo vincenzo salvatore marco alessandro stefano matteo
    lorenzo davide riccardo federico giulia francesca chiara alessia valentina paola giovanna lucia rosa
    elisa silvia roberta federica martina umberto dino amadeo enzo josé manuel francisco javier carlos
    miguel alejandro fernando pablo sergio jorge alberto álvaro rafael diego raúl luis pedro ángel ramón
    enrique ignacio isidro andrés joaquín carmen dolores pilar josefa isabel cristina lucía elena marta
    mercedes rosario julieta joão paulo tiago rui nuno vasco gonçalo bruno thiago gustavo felipe rodrigo
    matheus henrique beatriz mariana inês catarina juliana jan piet kees willem hendrik pieter jeroen
    maarten bram daan sander joost wouter anneke marijke femke sanne lotte fleur emmerik erik anders nils
    olof gustav mats magnus håkan göran fredrik johan mikael astrid birgitta kerstin annika sofia elsa
    ebba linnea ole knut geir trond kjell øystein sigrid solveig silje ingvild søren jesper mads rasmus
    kasper morten mette lone mikko juha matti timo antti jukka kari pekka ville aino kaisa päivi sari
    tuula hanna guðmundur sigurður ólafur jón guðrún björk piotr krzysztof andrzej tomasz paweł michał
    marcin jakub łukasz wojciech mateusz kamil katarzyna małgorzata agnieszka ewa magdalena joanna zofia
    aleksandra josef petr jiří václav tomáš martin jana eva hana lenka věra lucie sándor lászló istván
    józsef zoltán ferenc attila gábor tamás csaba zsuzsanna katalin ildikó erzsébet judit ágnes ion
    gheorghe vasile mihai andrei alexandru constantin ioana ana-maria georgi dimitar ivan nikolay petar
    dmitri dmitry sergei sergey alexei alexey vladimir mikhail nikolai pavel igor oleg viktor yuri boris
    anatoly maxim olga natalia natalya tatiana tatyana irina svetlana ekaterina anastasia yulia ludmila
    galina oksana иван дмитрий сергей алексей владимир михаил николай андрей павел игорь олег виктор юрий
    борис александр евгений максим виталий ольга наталья татьяна ирина светлана екатерина анастасия юлия
    людмила галина елена анна мария оксана nikos giorgos yannis dimitris kostas eleni katerina vasiliki
    georgios dimitrios mehmet mustafa ahmet ali hüseyin hasan ibrahim murat emre burak fatma ayşe emine
    hatice zeynep elif merve mohammed muhammad mohamed ahmed omar hassan hussein khalid youssef yusuf
    abdullah abdul tariq karim fatima aisha zainab maryam layla leila noor amina salma yasmin reza hossein
    mohsen amir mehdi zahra moshe yosef avi yael noa tamar rivka shira raj rahul amit sanjay vijay anil
    sunil rajesh suresh ramesh arjun rohan vikram ravi deepak manoj aditya priya anjali sunita pooja neha
    kavita lakshmi divya meera ananya jatin nikhil harsh gaurav wei ming li jing xin yan hui jun lei yong
    chen xiaoming mei ling hiroshi takashi kenji akira yuki haruto sakura yuko keiko naoko minjun jihoon
    seojun jiwoo soojin minji hyun nguyen thanh minh anh linh huong tuan somchai budi agus siti dewi putri
    ahmad nur juma amani kwame kofi chidi ngozi adaeze chinedu oluwaseun thabo sipho nomsa
    """.split()
)
