/** Every page at the other widths and in the other colours. */
import { otherViews } from "./support.ts";
import { testViews } from "./views.ts";

testViews(otherViews, { isCampaign: true });
