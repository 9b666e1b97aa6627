/** Every page as most visitors see it. */
import { desktop, phone } from "./support.ts";
import { testViews } from "./views.ts";

testViews([desktop, phone]);
