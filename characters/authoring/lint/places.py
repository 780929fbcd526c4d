"""Places of which it is known that none lies in another of its kind: two cities, or two countries."""

from characters.domain.entities import key

_CITIES = """Accra Amsterdam Ankara Athens Atlanta Auckland Baghdad Bangkok Barcelona Basel Beijing Beirut Belfast
Belgrade Bergen Berlin Bern Birmingham Bogotá Bologna Bordeaux Boston Brisbane Bristol Brussels Bucharest Budapest Cairo
Calgary Canberra Caracas Cardiff Chicago Cologne Copenhagen Cork Dakar Dallas Damascus Delhi Denver Detroit Dresden
Dubai Dublin Edinburgh Florence Frankfurt Geneva Genoa Ghent Glasgow Gothenburg Hamburg Hanoi Havana Helsinki Houston
Istanbul Jakarta Jerusalem Johannesburg Kabul Kampala Karachi Kathmandu Kiel Kinshasa Kolkata Krakow Kyiv Kyoto Lagos
Lahore Leeds Leipzig Lima Lisbon Liverpool London Lyon Madrid Manchester Manila Marseille Medellín Melbourne Memphis
Miami Milan Minneapolis Montreal Moscow Mumbai Munich Nairobi Nantes Naples Nashville Nuremberg Odense Odessa Osaka Oslo
Ottawa Oxford Palermo Paris Perth Philadelphia Pittsburgh Portland Porto Prague Reykjavik Riga Rome Rotterdam Salzburg
Santiago Sarajevo Seattle Seoul Seville Shanghai Singapore Sofia Stockholm Stuttgart Sydney Taipei Tallinn Tbilisi
Tehran Tijuana Tokyo Toronto Trieste Turin Utrecht Valencia Vancouver Venice Vienna Vilnius Warsaw Zagreb Zurich"""

_COUNTRIES = """Afghanistan Albania Algeria Angola Argentina Armenia Australia Austria Bangladesh Belarus Belgium
Bolivia Brazil Bulgaria Cambodia Cameroon Canada Chile China Colombia Croatia Cuba Cyprus Denmark Ecuador Egypt Estonia
Ethiopia Finland France Germany Ghana Greece Guatemala Haiti Honduras Hungary Iceland India Indonesia Iran Iraq Ireland
Israel Italy Jamaica Japan Jordan Kenya Kuwait Laos Latvia Lebanon Liberia Libya Lithuania Malaysia Mali Malta Mexico
Moldova Mongolia Morocco Mozambique Namibia Nepal Netherlands Nicaragua Nigeria Norway Pakistan Panama Paraguay Peru
Philippines Poland Portugal Romania Russia Rwanda Senegal Serbia Slovakia Slovenia Somalia Spain Sudan Sweden
Switzerland Syria Taiwan Tanzania Thailand Tunisia Turkey Uganda Ukraine Uruguay Venezuela Vietnam Yemen Zambia
Zimbabwe"""

_KINDS = tuple(frozenset(key(name) for name in names.split()) for names in (_CITIES, _COUNTRIES))


def apart(place: str, other: str) -> bool:
    """Whether these are two places that can't be one: neither lies in the other. Of most places nobody here knows."""
    first, second = key(place), key(other)
    return first != second and any(first in kind and second in kind for kind in _KINDS)
