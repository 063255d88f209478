@echo off
node "%~dp0dist\plugin\pulumi-resource-clouddb.js" %*
