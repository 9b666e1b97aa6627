import { test } from "vitest";
import { expectAnyOrder, operators } from "./support/any-order.ts";

// With this seed, of five lists two are late, one of them before the next that is in its turn, and one is taken back.
test.each(operators)("%s, with lists loaded in another order", (of) => expectAnyOrder(of, 8, 5, false));
