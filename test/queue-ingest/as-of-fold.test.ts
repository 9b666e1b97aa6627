import { test } from "vitest";
import { expectFold } from "./support/fold.ts";

test("lists in random order, some late, some taken back", () => expectFold(1, 8, false));
