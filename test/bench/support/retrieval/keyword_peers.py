"""Indexes passages with bm25s or tantivy and searches them, one query after the other.

Reads one JSON object from standard input: engine, folder, passages (file of JSON lines), queries, k.
Prints one with build_seconds, bytes, ms (per query) and found (ids per query).
"""

import json
import os
import re
import sys
import time

asked = json.load(sys.stdin)
engine, folder, k = asked["engine"], asked["folder"], asked["k"]
ids, texts = [], []
with open(asked["passages"]) as lines:
    for line in lines:
        row = json.loads(line)
        ids.append(row["id"])
        texts.append((row.get("title", "") + "\n" + row["text"]).strip())


def folder_size():
    return sum(
        os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names
    )


started = time.perf_counter()
if engine == "bm25s":
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    read = lambda given: bm25s.tokenize(
        given, stopwords=None, stemmer=stemmer, token_pattern=r"(?u)\b\w+\b", show_progress=False
    )
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(read(texts), show_progress=False)
    index.save(folder)
    seconds = time.perf_counter() - started

    def search(query):
        found, scores = index.retrieve(read([query]), k=min(k, len(ids)), show_progress=False, n_threads=1)
        return [ids[place] for place, score in zip(found[0], scores[0]) if score > 0]

else:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("place", stored=True)
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    schema = builder.build()
    index = tantivy.Index(schema, path=folder)
    writer = index.writer(heap_size=512_000_000, num_threads=1)
    for place, text in enumerate(texts):
        writer.add_document(tantivy.Document(place=place, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    seconds = time.perf_counter() - started

    def search(query):
        words = " ".join(dict.fromkeys(re.findall(r"\w+", query.lower())))
        if words == "":
            return []
        hits = searcher.search(index.parse_query(words, ["text"]), k).hits
        return [ids[searcher.doc(address)["place"][0]] for _, address in hits]


for query in asked["queries"][:20]:
    search(query)
ms, found = [], []
for query in asked["queries"]:
    asked_at = time.perf_counter()
    found.append(search(query))
    ms.append(1000 * (time.perf_counter() - asked_at))
print(json.dumps({"build_seconds": seconds, "bytes": folder_size(), "ms": ms, "found": found}))
