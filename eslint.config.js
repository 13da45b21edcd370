import js from "@eslint/js";

export default [
  {
    files: ["static/**/*.js", "tests/unit/scripts/**/*.mjs"],
    ...js.configs.recommended,
    rules: {
      ...js.configs.recommended.rules,
      complexity: ["error", 12],
      eqeqeq: "error",
      "no-undef": "off", // tsc knows which names browsers and workers have
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
];
