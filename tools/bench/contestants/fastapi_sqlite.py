"""What the product is compared with: one process, FastAPI and SQLite, as their tutorials have it.

Answers the same as GET /projects from a copy of the same rows. Environment: SQLITE_FILE.
"""

import json
import math
import os
import sqlite3
import threading

from fastapi import FastAPI

sqlite3.register_converter("boolean", lambda value: value != b"0")
sqlite3.register_converter("json", json.loads)

app = FastAPI()
# FastAPI runs plain functions on threads of a pool: each has a connection of its own.
local = threading.local()


def database() -> sqlite3.Connection:
    if not hasattr(local, "connection"):
        file = f"file:{os.environ['SQLITE_FILE']}?mode=ro"
        local.connection = sqlite3.connect(file, uri=True, detect_types=sqlite3.PARSE_DECLTYPES)
        local.connection.row_factory = sqlite3.Row
    return local.connection


@app.get("/projects")
def list_projects(state: str, capacity_min: float | None = None, page: int = 1, per_page: int = 50):
    where, values = "state = ?", [state]
    if capacity_min is not None:
        where, values = f"{where} and capacity_mw >= ?", [*values, capacity_min]
    rows = database().execute(
        f"select * from projects where {where} order by id limit ? offset ?", [*values, per_page, (page - 1) * per_page]
    )
    data = [dict(row) for row in rows]
    total = database().execute(f"select count(*) from projects where {where}", values).fetchone()[0]
    meta = {"total": total, "page": page, "per_page": per_page, "pages": math.ceil(total / per_page)}
    return {"data": data, "meta": meta}
