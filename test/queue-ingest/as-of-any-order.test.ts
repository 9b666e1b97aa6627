import { test } from "vitest";
import { expectAnyOrder } from "./support/any-order.ts";

// One operator whose requests are in one list, and one with two; courses.long.test.ts takes all operators, and longer series. With this seed,
// of five lists two are late, one of them before the next that is in its turn, and one is taken back.
test.each(["miso", "pjm"] as const)("%s, with lists loaded in another order", (of) => expectAnyOrder(of, 8, 5, false));
