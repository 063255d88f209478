module pulumi-clouddb.invalid/java-language-host

go 1.25.11

require github.com/pulumi/pulumi-java/pkg v1.21.3

// The replacements of that module.
replace github.com/Sirupsen/logrus => github.com/sirupsen/logrus v1.8.3

replace github.com/gogo/protobuf => github.com/gogo/protobuf v1.3.2
