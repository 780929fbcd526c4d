"""The Cypher that writes a person's part of the graph. Every statement says absolute values and may run twice.

    (:User {id, owner, name})
        -[:FACT {id, character, predicate, object, confidence, mentions, first_seen, last_seen}]->
    (:Entity {id, owner, key, name, kind}), from which facts about an entity go out, too
    (:User)-[:SAID {character}]->(:Message {id, owner, character, role, text, at, conversation})
        -[:ANSWERED]->(:Message), -[:MENTIONS]->(:Entity),
        -[:IS_SIMILAR {id, score}]->(:Message), -[:RELATES {id, relation, confidence, status}]->(:Message)

Edges are found by id (indexed) or message, deleted and created again: ends may have changed, and duplicates disappear.
Only SAID is merged, from the message's end: the person's node has too many edges to search. Dates are
ISO strings.
"""

EDGES_WITH_ID = ("FACT", "IS_SIMILAR", "RELATES")
LABELS = ("User", "Entity", "Message")

SCHEMA = (
    *(f"CREATE CONSTRAINT {name.lower()}_id IF NOT EXISTS FOR (n:{name}) REQUIRE n.id IS UNIQUE" for name in LABELS),
    *(f"CREATE INDEX {name.lower()}_owner IF NOT EXISTS FOR (n:{name}) ON (n.owner)" for name in LABELS),
    *(f"CREATE INDEX {name.lower()}_id IF NOT EXISTS FOR ()-[e:{name}]-() ON (e.id)" for name in EDGES_WITH_ID),
)

WRITE_USER = """
MERGE (u:User {id: $id})
SET u.owner = $owner, u.name = $name
"""

WRITE_ENTITIES = """
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
SET e.owner = row.owner, e.key = row.key, e.name = row.name, e.kind = row.kind
"""

WRITE_MESSAGES = """
UNWIND $rows AS row
MERGE (m:Message {id: row.id})
SET m.owner = row.owner, m.character = row.character, m.role = row.role, m.text = row.text, m.at = row.at,
    m.conversation = row.conversation
"""

WRITE_USER_MESSAGES = """
UNWIND $rows AS row
MATCH (m:Message {id: row.end}) MATCH (u:User {id: row.start})
MERGE (m)<-[s:SAID]-(u)
SET s.character = row.character
"""

DELETE_ANSWERED = """
UNWIND $ids AS id
MATCH (m:Message {id: id})-[r:ANSWERED]-(:Message)
DELETE r
"""

CREATE_ANSWERED = """
UNWIND $rows AS row
MATCH (m:Message {id: row.start}) MATCH (asked:Message {id: row.end})
CREATE (m)-[:ANSWERED]->(asked)
"""

DELETE_MENTIONS = """
UNWIND $ids AS id
MATCH (m:Message {id: id})-[r:MENTIONS]->(:Entity)
DELETE r
"""

CREATE_MENTIONS = """
UNWIND $rows AS row
MATCH (m:Message {id: row.start}) MATCH (e:Entity {id: row.end})
CREATE (m)-[:MENTIONS]->(e)
"""

DELETE_EDGES = {name: f"MATCH ()-[e:{name}]->() WHERE e.id IN $ids DELETE e" for name in EDGES_WITH_ID}

_CREATE_FACTS = """
UNWIND $rows AS row
MATCH (s:%s {id: row.start}) MATCH (o:Entity {id: row.end})
CREATE (s)-[:FACT {
    id: row.id, character: row.character, predicate: row.predicate, object: row.object, confidence: row.confidence,
    mentions: row.mentions, first_seen: row.first_seen, last_seen: row.last_seen
}]->(o)
"""

CREATE_FACTS_OF_USER = _CREATE_FACTS % "User"
CREATE_FACTS_OF_ENTITIES = _CREATE_FACTS % "Entity"

CREATE_SIMILAR = """
UNWIND $rows AS row
MATCH (a:Message {id: row.start}) MATCH (b:Message {id: row.end})
CREATE (a)-[:IS_SIMILAR {id: row.id, score: row.score}]->(b)
"""

CREATE_RELATES = """
UNWIND $rows AS row
MATCH (a:Message {id: row.start}) MATCH (b:Message {id: row.end})
CREATE (a)-[:RELATES {id: row.id, relation: row.relation, confidence: row.confidence, status: row.status}]->(b)
"""

DELETE_NODES = {name: f"MATCH (n:{name}) WHERE n.id IN $ids DETACH DELETE n" for name in LABELS}

DELETE_SOME_OF_OWNER = {
    name: f"MATCH (n:{name} {{owner: $owner}}) WITH n LIMIT 500 DETACH DELETE n RETURN count(*) AS deleted"
    for name in LABELS
}

DROP_SOME = {
    name: f"""
MATCH (n:{name})
WHERE n.owner IS NULL OR NOT n.owner STARTS WITH 'character:'
WITH n LIMIT 500
DETACH DELETE n
RETURN count(*) AS deleted
"""
    for name in LABELS
}

OWNERS = {name: f"MATCH (n:{name}) RETURN DISTINCT n.owner AS owner" for name in LABELS}

NODES_OF_OWNER = {name: f"MATCH (n:{name} {{owner: $owner}}) RETURN properties(n) AS properties" for name in LABELS}

EDGES_OF_OWNER = {
    name: (
        f"MATCH (n:{name} {{owner: $owner}})-[e]->(other) "
        "RETURN type(e) AS type, n.id AS start, other.id AS end, properties(e) AS properties"
    )
    for name in LABELS
}
