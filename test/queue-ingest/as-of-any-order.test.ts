import { test } from "vitest";
import { expectAnyOrder, operators } from "./support/any-order.ts";

test.each(operators)("%s, lists loaded in an order of their own", (of) => expectAnyOrder(of, 1, 6, false));
