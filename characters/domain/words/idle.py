"""What people say that no knowledge base is about: each installation is calibrated by it.

How near such messages come to a set of bases is how near "nothing of it" is there. Written for this program.
"""

SMALL_TALK = tuple(
    line.strip()
    for line in """
    hi, how is your day going?
    good morning to you
    hey there, long time no see
    thanks a lot, that helped me
    I had a great weekend with friends
    my back hurts from sitting all day
    it is so hot outside today
    I am really tired this evening
    what are you up to tonight?
    I just got home from work
    do you like music?
    I love pizza on a Friday
    my dog ate my shoes again
    I can't sleep lately
    we watched a film last night and it was boring
    are you a real person?
    what is your favourite colour?
    you are so funny
    I don't agree with you at all
    that's awesome, congratulations to you
    I miss my old friends
    my kids are driving me crazy
    tell me a joke
    set an alarm for seven in the morning
    play some relaxing songs
    turn off the lights in the bedroom
    remind me to call my mother on Sunday
    what time is it now?
    how is the weather tomorrow?
    add milk and eggs to the shopping list
    book a table for two tonight
    how do I get to the airport from here?
    I am learning to play the guitar
    my sister is getting married next month
    I hate Mondays so much
    have you ever been in love?
    what did you have for lunch?
    I am going to bed now, good night
    I feel a bit lonely today
    my boss yelled at me this morning
    I want to travel the world some day
    do you have any brothers or sisters?
    sorry, I did not mean that
    can you repeat that please?
    yes, I think so too
    no way, that is crazy
    I live in a small town with my parents
    I like to run in the park every morning
    I bought a new car last week
    what should I cook for dinner?
    my favourite season is autumn
    I was a teacher before I retired
    I have two cats and a parrot
    football practice was hard today
    who is your best friend?
    I'm on a diet, it is no fun
    how old are you?
    where are you from?
    I'd like to become a nurse
    I read a lot of books in winter
    send a message to my wife that I am late
    how much money is on my account?
    is my flight on time?
    cancel my meeting at three
    transfer fifty dollars to my savings
    what's on my calendar for today?
    how many calories are in a banana?
    translate good evening into French
    find my phone, please
    raise the volume a little
    when does the shop close?
    I need new tyres for my car
    what is my credit card limit?
    order me a large pizza
    flip a coin for me
    I work night shifts at a hospital
    we went hiking in the mountains
    I grew up on a farm
    I love dancing, it makes me happy
    the traffic was terrible today
    """.strip().splitlines()
)
"""Small talk, and requests to an assistant."""

GENERAL = tuple(
    line.strip()
    for line in """
    what is the tallest animal on land?
    who painted the Mona Lisa?
    how far away is the moon?
    what is the capital of Portugal?
    why is the sky blue?
    how long do tortoises live?
    who invented the telephone?
    what language do they speak in Brazil?
    how do you boil an egg?
    when did the Second World War end?
    what is the square root of 144?
    how many bones are in the human body?
    which planet is the largest?
    how do bees make honey?
    what causes hiccups?
    who wrote Hamlet?
    what does a plumber earn?
    how do I remove a wine stain from a carpet?
    how often should I water a cactus?
    what is the fastest car in the world?
    who won the last football world cup?
    what are the symptoms of flu?
    how do I change a flat tyre?
    how deep is the ocean?
    what do owls eat?
    which river is the longest in Europe?
    how do planes stay in the air?
    what is a good recipe for pancakes?
    is it safe to eat raw mushrooms?
    how many time zones are there?
    what is the population of Canada?
    who was the first woman in space?
    why do cats purr?
    how does a microwave heat food?
    what is the best way to learn the piano?
    which countries border Switzerland?
    how do I write a covering letter?
    what does carpe diem mean?
    when do the clocks go back?
    how cold does it get at the South Pole?
    why do leaves change colour?
    what is the meaning of the name Sophie?
    how do you play backgammon?
    can dogs see colours?
    how do I get rid of ants in the kitchen?
    who discovered penicillin?
    what is the difference between a crocodile and an alligator?
    which vitamins are in oranges?
    how long does it take to fly to Tokyo?
    what year did the Titanic sink?
    who sings that song about an umbrella?
    how much does an elephant weigh?
    how is chocolate made?
    what is the currency of Japan?
    how do I train for a marathon?
    why do onions make you cry?
    what are the rules of badminton?
    who is the president of France?
    how do I unlock a frozen phone?
    which metals are magnetic?
    how does a vaccine work?
    what is the oldest university?
    which trees grow fastest?
    how do I fix a dripping tap?
    what is jazz?
    how many strings has a violin?
    should I buy shares or bonds?
    which laptop is good for students?
    how do I apply for a passport?
    what holidays are there in May?
    how do volcanoes erupt?
    what is the boiling point of alcohol?
    where was the first Olympic Games?
    how do I grow tomatoes on a balcony?
    what breed of dog is best for a flat?
    how does Wi-Fi work?
    what is a healthy blood pressure?
    who founded Rome?
    how do spiders spin webs?
    what is the strongest material?
    """.strip().splitlines()
)
"""Questions of general knowledge, which a base may happen to answer."""

TEXTS = (*SMALL_TALK, *GENERAL)
