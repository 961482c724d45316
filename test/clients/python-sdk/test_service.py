"""The client against the real service, whose address and key are in the environment."""

import unittest

from troupe_sdk import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    Troupe,
    TroupeError,
    ValidationError,
)


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.troupe = Troupe()
        self.addCleanup(self.troupe.close)

    def test_checks_its_key(self) -> None:
        self.troupe.auth.verify()
        with Troupe(api_key="not-a-key-of-ours") as stranger:
            with self.assertRaises(AuthenticationError) as caught:
                stranger.auth.verify()
        error = caught.exception
        self.assertEqual((error.status, str(error)), (401, "401 Invalid API key."))
        self.assertEqual(len(error.request_id or ""), 36)

    def test_opens_finds_lists_and_ends_sessions(self) -> None:
        opened = self.troupe.sessions.create(avatar_id="nora", metadata={"order": "7"})
        self.assertEqual(opened["status"], {"type": "to_start"})
        found = self.troupe.sessions.retrieve(opened["id"])
        self.assertEqual(found["metadata"], {"order": "7"})
        page = self.troupe.sessions.list(limit=1).first()
        self.assertEqual(page.data, [found])
        self.troupe.sessions.end(opened["id"])
        kinds = [event["data"]["status"]["type"] for event in self.troupe.sessions.events(opened["id"])]
        self.assertEqual(kinds, ["completed"])

    def test_repeats_under_one_key_are_one_request(self) -> None:
        options = {"idempotency_key": "python-sync"}
        first = self.troupe.sessions.create(avatar_id="theo", options=options)
        second = self.troupe.sessions.create(avatar_id="theo", options=options)
        self.assertEqual(first["id"], second["id"])
        with self.assertRaises(ConflictError):
            self.troupe.sessions.create(avatar_id="nora", options=options)

    def test_says_what_is_wrong(self) -> None:
        with self.assertRaises(ValidationError) as caught:
            self.troupe.calls.create(agent_id="a", user_email="nobody")
        self.assertEqual(caught.exception.problems[0]["loc"], ["body", "user_email"])
        self.assertRegex(str(caught.exception), r"^422 body\.user_email: ")
        with self.assertRaises(NotFoundError):
            self.troupe.agents.retrieve("../avatars")
        with self.assertRaisesRegex(TroupeError, "The id is empty"):
            self.troupe.agents.delete("")

    def test_iterates_all_pages(self) -> None:
        made = [self.troupe.agents.create(name=f"Agent {at}", avatar_id="nora") for at in range(5)]
        found = [agent["id"] for agent in self.troupe.agents.list(limit=2)]
        self.assertEqual(found[:5], [agent["id"] for agent in reversed(made)])
        sizes = [len(page.data) for page in self.troupe.agents.list(limit=2).pages()]
        self.assertEqual(sum(sizes), len(found))
        self.assertEqual(sizes[0], 2)

    def test_null_is_sent_and_left_out_arguments_are_not(self) -> None:
        agent = self.troupe.agents.create(name="Ann", avatar_id="nora", greeting="Hello!")
        self.troupe.agents.update(agent["id"], name="Anna")
        named = self.troupe.agents.retrieve(agent["id"])
        self.assertEqual((named["name"], named["greeting"]), ("Anna", "Hello!"))
        self.troupe.agents.update(agent["id"], greeting=None)
        silent = self.troupe.agents.retrieve(agent["id"])
        self.assertIsNone(silent["greeting"])

    def test_uploads_a_knowledge_file_in_chunks(self) -> None:
        file = self.troupe.knowledge_files.create(name="Prices", format="text")
        text = b"Eggs are two dollars."
        self.troupe.knowledge_files.upload(file["id"], text[:9], chunk_number=1)
        self.troupe.knowledge_files.upload(file["id"], text[9:], chunk_number=2)
        ready = self.troupe.knowledge_files.submit(file["id"], chunks=2, size=len(text))
        self.assertEqual(ready["content"], text.decode())
        self.troupe.knowledge_files.delete(file["id"])

    def test_sends_a_photo_as_a_form(self) -> None:
        with self.assertRaises((BadRequestError, ValidationError)) as caught:
            self.troupe.avatars.create(name="Me", consent="I agree.", picture=b"no picture")
        self.assertIn("picture", str(caught.exception))

    def test_gives_bodies_that_are_not_json_as_they_are(self) -> None:
        response = self.troupe.export.create()
        self.assertEqual(response.headers["content-type"], "application/gzip")
        self.assertGreater(sum(map(len, response.iter_bytes())), 0)
        response.close()

    def test_times_may_be_asked_for(self) -> None:
        later = self.troupe.sessions.list(from_="2999-01-01T00:00:00Z")
        self.assertEqual(list(later), [])


if __name__ == "__main__":
    unittest.main()
