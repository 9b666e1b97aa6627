import { describeRealValues } from "./support/real-values.ts";

describeRealValues(200);
