import { breakResponses } from "./broken-responses.ts";

// A list that one request downloads, and one whose address an index page states; broken-responses.long.test.ts tries every list.
breakResponses(["miso", "nyiso"]);
