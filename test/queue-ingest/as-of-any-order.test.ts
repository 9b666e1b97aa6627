import { test } from "vitest";
import { expectAnyOrder, operators } from "./support/any-order.ts";

// With this seed, of six lists three are late, one of them before the next that is in its turn, and one is taken back.
test.each(operators)("%s, lists loaded in an order of their own", (of) => expectAnyOrder(of, 12, 6, false));
