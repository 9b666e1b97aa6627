"""Against the service at EIDS_URL, with the key EIDS_API_KEY."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import json
import os
import re
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Any

import eids
from eids._generated import ROUTES

has_pandas = importlib.util.find_spec("pandas") is not None


def read(path: str) -> Any:
    asked = urllib.request.Request(os.environ["EIDS_URL"] + path, headers={"x-api-key": os.environ["EIDS_API_KEY"]})
    with urllib.request.urlopen(asked) as response:
        return json.load(response)


class Live(unittest.TestCase):
    def setUp(self) -> None:
        self.client = eids.Client()
        self.addCleanup(self.client.close)

    def test_lists_are_read_to_their_end_by_both_clients(self) -> None:
        wanted = sorted(row["id"] for row in read("/projects?per_page=500")["data"])
        self.assertEqual(sorted(row["id"] for row in self.client.list_projects(per_page=50)), wanted)
        texas = [row["state"] for row in self.client.list_projects(state="TX", region=["ERCOT"], per_page=7)]
        self.assertEqual((set(texas), len(texas) > 7), ({"TX"}, True))
        self.assertEqual(len(list(self.client.list_projects(page=1, per_page=3))), 3)

        async def walk() -> list[str]:
            async with eids.AsyncClient() as client:
                return [row["id"] async for row in client.list_projects(per_page=50)]

        self.assertEqual(sorted(asyncio.run(walk())), wanted)

    def test_every_list_has_its_rows_where_the_route_says(self) -> None:
        for name, route in ROUTES.items():
            if route.kind in ("list", "feed") and "{" not in route.path and name != "search_developers":
                with self.subTest(name):
                    first = next(iter(getattr(self.client, name)(per_page=1).pages()))
                    self.assertIsInstance(first[route.rows], list)
        self.assertGreater(len(list(self.client.search_developers(q="inve"))), 0)

    def test_every_operation_is_a_method_of_both_clients(self) -> None:
        names = {each["operationId"] for path in read("/openapi.json")["paths"].values() for each in path.values()}
        self.assertEqual({re.sub("_([a-z])", lambda found: found[1].upper(), name) for name in ROUTES}, names)
        for name in ROUTES:
            self.assertTrue(callable(getattr(eids.Client, name)) and callable(getattr(eids.AsyncClient, name)))

    def test_the_feed_is_resumed_where_it_was_left(self) -> None:
        wanted = [row["seq"] for row in read("/changes?after=0&per_page=500")["data"]]
        first = [row["seq"] for row in itertools.islice(self.client.list_changes(after=0, per_page=7), 10)]
        rest = [row["seq"] for row in self.client.list_changes(after=first[-1])]
        self.assertEqual(first + rest, wanted)
        followed = self.client.list_changes(after=0, per_page=7).follow(every=0.01)
        self.assertEqual([row["seq"] for row in itertools.islice(followed, len(wanted))], wanted)
        streamed = itertools.islice(self.client.stream_changes(after=wanted[4]), 5)
        self.assertEqual([int(event.id) for event in streamed], wanted[5:10])

        async def stream() -> list[int]:
            found: list[int] = []
            async with eids.AsyncClient() as client:
                async for event in client.stream_changes(after=wanted[4]):
                    found.append(event.data["seq"])
                    if len(found) == 5:
                        return found
            return found

        self.assertEqual(asyncio.run(stream()), wanted[5:10])

    def test_refusals_are_exceptions_of_their_status(self) -> None:
        with self.assertRaises(eids.InvalidParameters) as refused:
            list(self.client.list_projects(per_page=501))
        self.assertEqual((refused.exception.status, refused.exception.code), (422, "invalid_parameters"))
        self.assertEqual(refused.exception.fields, ["per_page"])
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(eids.NotFound):
            self.client.get_project("PJM-ZZ9/999")
        with self.assertRaises(eids.Forbidden), eids.Client(key="pk_wrong") as stranger:
            stranger.get_usage()

    def test_bodies_are_sent_and_things_are_made_and_deleted(self) -> None:
        made = self.client.create_watchlist(name="Texas", filters={"state": ["TX"]})
        number = made["watchlist_id"]
        self.assertGreater(len(list(self.client.get_watchlist(number))), 0)
        self.assertEqual(list(self.client.list_watchlist_changes(number, after=0)), list(self.client.list_watchlist_changes(number)))
        self.client.delete_watchlist(number)
        with self.assertRaises(eids.NotFound):
            list(self.client.get_watchlist(number))
        rows = self.client.run_query(sql="select count(*) as n from projects")["data"]
        self.assertGreater(rows[0]["n"], 0)
        self.assertRegex(str(self.client.get_query(sql="select 1 as n", format="csv")), "^n\r\n1")
        with self.assertRaises(eids.BadRequest):
            self.client.run_query(sql="select")

    def test_a_file_is_saved_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "projects.csv")
            self.client.export_projects(format="csv", limit=2).save(path)
            self.assertEqual(len(path.read_text().splitlines()), 3)
            self.assertEqual(os.listdir(folder), ["projects.csv"])

    @unittest.skipUnless(has_pandas, "no pandas")
    def test_a_data_frame_has_the_rows_and_days(self) -> None:
        table = self.client.list_projects(state="TX").to_pandas()
        self.assertEqual(len(table), len(list(self.client.list_projects(state="TX"))))
        self.assertEqual([str(table[name].dtype) for name in ("queue_date", "last_changed_at")], ["datetime64[ns]", "datetime64[ns, UTC]"])
        empty = self.client.list_projects(state="TX", q="no such request").to_pandas()
        self.assertEqual((len(empty), "capacity_mw" in empty), (0, True))

        async def read_frame() -> int:
            async with eids.AsyncClient() as client:
                return len(await client.list_projects(state="TX").to_pandas())

        self.assertEqual(asyncio.run(read_frame()), len(table))


if __name__ == "__main__":
    unittest.main()
